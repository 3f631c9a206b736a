import type { Agent } from './agent.ts'

export const opencode: Agent = {
  name: 'OpenCode',
  setup: 'opencode',
  package: 'opencode-ai',
  program: 'node_modules/.bin/opencode',
  prepared: 'node_modules/opencode-ai/postinstall.mjs',
  args: (prompt) => ['run', prompt],
  env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_PERMISSION: '"allow"' },
  runs: (command) => ({ name: 'bash', input: { command, description: 'Runs it' } }),
}
