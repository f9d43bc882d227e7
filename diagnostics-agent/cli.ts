#!/usr/bin/env node
import {runProgram} from '../core/cli/program.js';
import {FLAGS, optionsOf} from './flags.js';

await runProgram({
  name: 'diagnostics-agent',
  description: 'Runs next to a database node: records its metrics, and answers a diagnostics proxy.',
  flags: FLAGS,
  async start(values, loggerOf) {
    const options = optionsOf(values);
    // Loaded here, so that help and a mistake in the flags do not wait for it.
    const {Agent} = await import('./agent.js');
    const agent = new Agent(options, loggerOf);
    return {listeners: {metrics: await agent.start()}, stop: () => agent.stop()};
  },
});
