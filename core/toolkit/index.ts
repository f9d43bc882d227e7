/**
 * THE TOOLKIT for authors of plugins and adapters. This module is the package entry `query-gateway/toolkit`.
 *
 * Mechanisms that several of the gateway's own packages share: sharing the thread, limits, queues, messages, time,
 * files that change, retention, exact sums, the two models of traces, grammars within limits. Nothing here is needed to
 * fulfil a contract, and nothing keeps state of its own but for the one queue of those who wait for the thread. `docs/toolkit.md` tells of each, and a test that it does.
 */

export * from './batch-queue.js';
export * from './contenders.js';
export * from './exact-mean.js';
export * from './exact-sum.js';
export {type FileReading, type FileSet, type NamedFile, readFiles} from './files/file-set.js';
export * from './files/watched-files.js';
export {JsonSyntaxError, parseJson, whyNotJson} from './json.js';
export * from './language/bounded-tokens.js';
export * from './language/go-string.js';
export * from './language/grammar-runner.js';
export {tokenTypes} from './language/token-feed.js';
export * from './log-once.js';
export * from './messages.js';
export * from './otlp/decode.js';
export * from './otlp/encode.js';
export * from './otlp/encoded-spans.js';
export * from './otlp/span-decoder.js';
export * from './periodic.js';
export * from './protobuf/message-writer.js';
export * from './protobuf/wire-reader.js';
export * from './retention.js';
export * from './retention-clock.js';
export * from './semaphore.js';
export * from './time.js';
export * from './tls/server-tls.js';
export * from './tls/tls-failure.js';
export * from './tls/tls-files.js';
export * from './tls/tls-option.js';
export * from './traces/compat-model.js';
export * from './traces/compat-span-codec.js';
export * from './traces/model.js';
export * from './traces/native-model.js';
export * from './traces/otlp-model.js';
export * from './traces/typed-term.js';
export * from './unix-seconds.js';
export * from './unless-aborted.js';
export * from './yielder.js';
