import type { UpstreamKind } from '../client.ts'
import { otherNames } from '../gateway.ts'
import type { Agent, Scene, Stage } from './agent.ts'
import { withMappedModel } from './mapped-model.ts'
import { reasonOf, runFailure } from './tool-loop.ts'

/** A model of whose kind Codex knows that it has sub-agents and tools in code. */
const [newest] = otherNames

/** Providers that do not speak Codex' own language. */
const converted: readonly UpstreamKind[] = ['chat', 'deepseek', 'anthropic', 'gemini']

const lastText = ({ context: { upstream } }: Stage): string => upstream.received.at(-1)?.userTexts.join('\n') ?? ''

/** The main agent gives a task to another and reads what that answers. */
const subAgents: Scene = {
  check: 'sub-agents',
  upstreams: converted,
  play: (stage) =>
    withMappedModel(stage, newest, async () => {
      const task = 'COUNT TO THREE PLEASE'
      stage.play(
        [
          {
            text: 'I ask.',
            calls: [
              {
                name: 'collaboration__spawn_agent',
                input: { task_name: 'counter', message: task, fork_turns: 'none' },
              },
            ],
          },
          { calls: [{ name: 'collaboration__wait_agent', input: { timeout_ms: 20_000 } }] },
          { text: 'All done: 42.', calls: [] },
        ],
        ({ userTexts, calls }) =>
          calls.length === 0 && userTexts.at(-1)?.includes(task) ? { text: 'ONE TWO THREE', calls: [] } : undefined,
      )
      const ended = await stage.run('Do what notes.txt says.', { model: newest })
      return reasonOf(
        runFailure(stage, ended),
        !ended.output.includes('All done: 42.') && 'did not come to its end',
        !lastText(stage).includes('ONE TWO THREE') && 'the main agent never read the answer',
      )
    }),
}

/** Tokens after which Codex has its conversation compacted. */
const compactAfter = 150

/** Its own provider has conversations compacted by the service, here over a WebSocket. */
const compaction: Scene = {
  check: 'compaction',
  upstreams: converted,
  play: (stage) =>
    withMappedModel(stage, newest, async () => {
      const summary = 'The notes say 42.'
      stage.play(
        [
          { text: 'Let me look.', calls: [{ name: 'exec_command', input: { cmd: 'cat notes.txt' } }] },
          { text: 'Finished: 42 it is.', calls: [] },
        ],
        ({ userTexts }) =>
          userTexts.at(-1)?.startsWith('Summarise this conversation') ? { text: summary, calls: [] } : undefined,
      )
      const ended = await stage.run('Do what notes.txt says.', {
        model: newest,
        files: {
          '.codex/config.toml': [
            `model = "${newest}"`,
            `openai_base_url = "${stage.context.url}/v1"`,
            `model_auto_compact_token_limit = ${compactAfter}`,
          ].join('\n'),
          '.codex/auth.json': JSON.stringify({ OPENAI_API_KEY: stage.key.key }),
        },
      })
      return reasonOf(
        runFailure(stage, ended),
        !ended.output.includes('context compacted') && 'compacted nothing',
        !ended.output.includes('Finished: 42 it is.') && 'did not come to its end',
        !lastText(stage).includes(summary) && 'the summary did not come back',
      )
    }),
}

export const codex: Agent = {
  name: 'Codex',
  setup: 'codex',
  package: '@openai/codex',
  program: 'node_modules/.bin/codex',
  args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  runs: (command) => ({ name: 'exec_command', input: { cmd: command } }),
  scenes: [subAgents, compaction],
}
