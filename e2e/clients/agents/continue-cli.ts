import type { Agent } from './agent.ts'

export const continueCli: Agent = {
  name: 'Continue',
  setup: 'continue',
  package: '@continuedev/cli',
  program: 'node_modules/.bin/cn',
  args: (prompt, home) => ['-p', prompt, '--auto', '--config', `${home}/.continue/config.yaml`],
  env: { CONTINUE_TELEMETRY_ENABLED: '0' },
  stores: true,
  runs: (command) => ({ name: 'Bash', input: { command } }),
}
