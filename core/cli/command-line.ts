import {Command, CommanderError} from 'commander';
import {didYouMean, nearest} from '../toolkit/messages.js';
import {VERSION} from '../version.js';
import {EXIT, reportFailure} from './exit.js';
import {logWarnings} from './warnings.js';

const CONFIG = ['--config <file>', 'the configuration file', 'gateway.config.json'] as const;

const NAME = ['--name <name>', 'whose credential it is'] as const;
const RIGHTS = ['--rights <rights>', 'what it is good for: some of read, write, admin and agent, with commas'] as const;

/** Runs the command that the words name, and gives the exit code. Prints on the streams of the process, which it leaves running. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  let code: number = EXIT.ok;
  const program = commands(given => {
    code = given;
  });
  try {
    checkCommand(program, words[0]);
    checkOptions(program, words);
    await program.parseAsync(words, {from: 'user'});
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

/** Every command of the program; `done` is given the exit code of the one that was named. */
function commands(done: (code: number) => void): Command {
  const program = new Command('query-gateway');

  const command = (name: string, description: string, options?: {readonly isDefault: boolean}): Command =>
    program.command(name, options).description(description).version(VERSION).helpOption('--help', 'print this help');

  /** Runs a command, whose modules are loaded for it alone. */
  const action =
    <Parameters extends unknown[]>(load: () => Promise<(...parameters: Parameters) => Promise<number>>) =>
    async (...parameters: Parameters): Promise<void> => {
      // Until the configuration has said which lines are wanted.
      logWarnings((await import('./log.js')).createLog('warn')('gateway'));
      done(
        await load()
          .then(run => run(...parameters))
          .catch(reportFailure),
      );
    };

  program
    .description('One gateway through which dashboards that speak well-known query APIs read an observability store.')
    .version(VERSION)
    .helpOption('--help', 'print this help')
    .exitOverride()
    .showSuggestionAfterError();

  command('serve', 'run the gateway until SIGTERM or SIGINT', {isDefault: true})
    .option(...CONFIG)
    .action(action(async () => (await import('./serve.js')).serve));

  command('check', 'load and validate the configuration, opening no listener')
    .option(...CONFIG)
    .option('--connect', 'also start the storage, and print what each plugin gets of it')
    .action(action(async () => (await import('./check.js')).check));

  command('load', 'write files into the configured storage')
    .argument(
      '<file...>',
      'metric records (NDJSON), Zipkin v2 spans or SkyWalking segments (JSON), plain or gzip; - is standard input',
    )
    .option(...CONFIG)
    .action(action(async () => (await import('./load.js')).load));

  command('copy', 'copy all that the storage of one configuration holds into that of another one, the newest first')
    .requiredOption('--from <file>', 'the configuration whose storage is copied')
    .requiredOption('--to <file>', 'the configuration whose storage it is written into')
    .option('--since <time>', 'only what is of this time or later: RFC 3339 or Unix seconds')
    .option('--until <time>', 'only what is before this time')
    .option('--only <kinds>', 'some of metrics, compat, native and otlp, with commas')
    .option(
      '--checkpoint <file>',
      'where a copy that was ended finds how far it has come; beside the file of --to unless given',
    )
    .option('--dry-run', 'count what would be copied, and write nothing')
    .option('--verify', 'copy nothing: read both storages and compare them')
    .option('--rate <n>', 'the most samples and spans a second')
    .action(action(async () => (await import('./copy.js')).copy));

  command('backup', 'copy all that the storage holds into a new folder, also while a gateway runs over it')
    .argument('<target>', 'the folder to make; restore it by putting it in place of the folder of the storage')
    .option(...CONFIG)
    .action(action(async () => (await import('./backup.js')).backup));

  command('rehearse', 'ask two storages what was recorded, and tell where their answers differ')
    .requiredOption(
      '--traffic <file...>',
      'recordings of the gateway, HAR files or query logs of Prometheus, plain or gzip; - is standard input',
    )
    .requiredOption('--old <config>', 'the configuration of the storage that is right')
    .requiredOption('--new <config>', 'the configuration of the storage that is to take its place')
    .option('--report <file>', 'write what was found, as a page where the name ends in .html, else as JSON')
    .option('--tolerance <share>', 'how far values that are measured may lie apart, as a share of them', '1e-9')
    .option('--shift', 'move the times that were asked for by the time since they were recorded')
    .option('--skip-recent <duration>', 'ask for nothing that is younger than this; 0s asks for everything', '2m')
    .action(action(async () => (await import('./rehearse.js')).rehearse));

  command('demo', 'run the gateway over generated data')
    .option('--port-base <n>', 'the port of the first listener, the others follow; 0 takes any free ports')
    .action(action(async () => (await import('./demo.js')).demo));

  command('schema', 'print the JSON Schema of the configuration')
    .option(...CONFIG)
    .action(action(async () => (await import('./schema.js')).schema));

  command('token', 'make a token, and the entry of the access file that knows it')
    .requiredOption(...NAME)
    .requiredOption(...RIGHTS)
    .action(action(async () => (await import('./credentials.js')).token));

  command('password', 'read a password from standard input, and print the entry of the access file that knows it')
    .requiredOption(...NAME)
    .requiredOption(...RIGHTS)
    .action(action(async () => (await import('./credentials.js')).password));

  return program;
}

/** The default command would take a mistyped command for an argument of its own. */
function checkCommand(program: Command, word: string | undefined): void {
  const names = [...program.commands.map(each => each.name()), 'help'];
  if (word === undefined || word.startsWith('-') || names.includes(word)) return;
  program.error(`error: unknown command '${word}'; expected one of ${names.join(', ')}${didYouMean(word, names)}`);
}

/** A mistyped option would be hidden behind the complaint that the one which was meant is missing. */
function checkOptions(program: Command, [name, ...words]: readonly string[]): void {
  const command: Command | undefined = program.commands.find(each => each.name() === name);
  if (command === undefined) return;
  const known = new Map(command.options.map(option => [option.long ?? '', option]));
  for (let at = 0; at < words.length && words[at] !== '--'; at++) {
    const word = words[at] as string;
    if (!word.startsWith('--') || word === '--help') continue;
    const [flag = ''] = word.split('=', 1);
    const option = known.get(flag);
    // What follows is its value, whatever it looks like.
    if (option?.required === true && flag === word) at++;
    if (option !== undefined) continue;
    const meant = nearest(flag, known.keys());
    command.error(`error: unknown option '${flag}'${meant === undefined ? '' : `\n(Did you mean ${meant}?)`}`);
  }
}
