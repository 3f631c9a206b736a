import type { Agent } from './agent.ts'

/** Takes the fields of its screen as arguments. */
export const cline: Agent = {
  name: 'Cline',
  setup: 'cline',
  package: 'cline',
  program: 'node_modules/.bin/cline',
  prepared: 'node_modules/cline/postinstall.mjs',
  signIn: (field) => [
    ...['auth', '--provider', 'openai-compatible', '--apikey', field('API Key')],
    ...['--baseurl', field('Base URL'), '--modelid', field('Model ID')],
  ],
  args: (prompt) => ['--auto-approve', 'true', prompt],
  runs: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
}
