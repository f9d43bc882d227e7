#!/usr/bin/env node
import {runProgram} from '../core/cli/program.js';
import {Agent} from './agent.js';
import {FLAGS, optionsOf} from './flags.js';

await runProgram({
  name: 'diagnostics-agent',
  description: 'Runs next to a database node: records its metrics, and answers a diagnostics proxy.',
  flags: FLAGS,
  async start(values, loggerOf) {
    const agent = new Agent(optionsOf(values), loggerOf);
    return {listeners: {metrics: await agent.start()}, stop: () => agent.stop()};
  },
});
