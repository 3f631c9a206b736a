import type { Agent } from './agent.ts'

export const kiloCli: Agent = {
  name: 'Kilo Code CLI',
  setup: 'kilo-cli',
  package: '@kilocode/cli',
  program: 'node_modules/.bin/kilo',
  prepared: 'node_modules/@kilocode/cli/postinstall.mjs',
  args: (prompt) => ['run', prompt],
  env: { KILO_DISABLE_MODELS_FETCH: '1', KILO_DISABLE_AUTOUPDATE: '1', KILO_PERMISSION: '"allow"' },
  runs: (command) => ({ name: 'bash', input: { command, description: 'Runs it' } }),
}
