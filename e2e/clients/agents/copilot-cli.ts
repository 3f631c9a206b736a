import type { UpstreamKind } from '../client.ts'
import type { Agent, RunChanges, Scene } from './agent.ts'
import { toolLoop } from './tool-loop.ts'

const everywhere: readonly UpstreamKind[] = ['chat', 'deepseek', 'responses', 'anthropic', 'gemini']

/** The same loop in another of the languages that it speaks. */
const speaking = (check: string, changes: (url: string) => RunChanges): Scene => ({
  check,
  upstreams: everywhere,
  play: (stage) => toolLoop(copilotCli, stage, changes(stage.context.url)),
})

/** The set-up page selects Responses; chat completions and Messages are selected by a setting of the program. */
export const copilotCli: Agent = {
  name: 'Copilot CLI',
  setup: 'copilot-cli',
  package: '@github/copilot',
  program: 'node_modules/.bin/copilot',
  args: (prompt) => ['-p', prompt, '--allow-all-tools', '--no-color'],
  env: { COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false' },
  runs: (command) => ({ name: 'bash', input: { command, description: 'Runs it' } }),
  scenes: [
    speaking('chat completions', () => ({ env: { COPILOT_PROVIDER_WIRE_API: 'completions' } })),
    speaking('messages', (url) => ({
      env: {
        COPILOT_PROVIDER_TYPE: 'anthropic',
        COPILOT_PROVIDER_BASE_URL: url,
        COPILOT_PROVIDER_WIRE_API: 'completions',
      },
    })),
  ],
}
