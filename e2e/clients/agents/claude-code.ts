import { type UpstreamKind, upstreamKinds } from '../client.ts'
import type { Agent, Scene, Stage } from './agent.ts'
import { reasonOf, runFailure } from './tool-loop.ts'

const lastResult = ({ context: { upstream } }: Stage): string => upstream.received.at(-1)?.results.at(-1)?.text ?? ''

/** Models here that can search the web. */
const searching: readonly UpstreamKind[] = ['responses', 'anthropic', 'gemini']

const isSearch = (name: string): boolean => name === 'web_search' || name === ''

/** Its search is a call of its own with the provider's search as the only tool. A model that has none must not answer from memory. */
const webSearch: Scene = {
  check: 'web search',
  upstreams: upstreamKinds,
  async play(stage) {
    const found = 'The release is of November.'
    stage.play(
      [
        {
          thought: 'I search.',
          text: 'I look it up.',
          calls: [{ name: 'WebSearch', input: { query: 'newest release' } }],
        },
        { text: 'Finished: 42 it is.', calls: [] },
      ],
      ({ userTexts, tools }) =>
        userTexts.at(-1)?.includes('web search for the query') && tools.every(({ name }) => isSearch(name))
          ? { text: found, calls: [] }
          : undefined,
    )
    const ended = await stage.run('Do what notes.txt says.', { args: ['--allowedTools', 'WebSearch'] })
    const result = lastResult(stage)
    return reasonOf(
      runFailure(stage, ended),
      !ended.output.includes('Finished: 42 it is.') && 'did not come to its end',
      searching.includes(stage.kind)
        ? !result.includes(found) && `read instead of what was found: ${result.slice(0, 200)}`
        : !/cannot search|no web search|web_search/i.test(result) &&
            `got no error for a search that no model did: ${result.slice(0, 200)}`,
    )
  },
}

/** It defers most tools and finds them by a search of its own, whose result names them. */
const toolSearch: Scene = {
  check: 'tool search',
  upstreams: upstreamKinds,
  async play(stage) {
    stage.play([
      {
        thought: 'I look for it.',
        text: 'I need a tool.',
        calls: [{ name: 'ToolSearch', input: { query: 'select:WebFetch', max_results: 5 } }],
      },
      { text: 'Finished: 42 it is.', calls: [] },
    ])
    const ended = await stage.run('Do what notes.txt says.')
    const last = stage.context.upstream.bodies.at(-1)
    return reasonOf(
      runFailure(stage, ended),
      !ended.output.includes('Finished: 42 it is.') && 'did not come to its end',
      stage.kind === 'anthropic'
        ? !JSON.stringify(last).includes('"tool_reference"') && 'the reference did not arrive'
        : !lastResult(stage).includes('Loaded: WebFetch') && `the model read: ${lastResult(stage).slice(0, 200)}`,
    )
  },
}

export const claudeCode: Agent = {
  name: 'Claude Code',
  setup: 'claude-code',
  package: '@anthropic-ai/claude-code',
  program: 'node_modules/.bin/claude',
  prepared: 'node_modules/@anthropic-ai/claude-code/install.cjs',
  args: (prompt) => ['-p', prompt, '--output-format', 'json', '--allowedTools', 'Bash'],
  runs: (command) => ({ name: 'Bash', input: { command, description: 'Runs it' } }),
  scenes: [webSearch, toolSearch],
}
