import type { AgentText } from '@tollgate/contract'
import {
  type Agent,
  contextOf,
  exports,
  fieldsText,
  jsonText,
  keyVariable,
  outputOf,
  providerName,
  quoted,
  type SetupFacts,
  shellText,
  shellWord,
} from './setup.ts'

/** Agents in editors. */

/** The screen that Cline and the extensions that grew from it have in common. */
const screenOf = ({ address, key, main }: SetupFacts): AgentText =>
  fieldsText({
    'API Provider': 'OpenAI Compatible',
    'Base URL': `${address}/v1`,
    'API Key': key,
    'Model ID': main.name,
    'Context Window Size': String(contextOf(main)),
    'Max Output Tokens': String(outputOf(main)),
  })

const formOf = (id: string, name: string): Agent => ({
  id,
  name,
  api: 'chat',
  notes: ['in_app'],
  write: (facts) => [screenOf(facts)],
})

/** docs.cline.bot: the extension has a screen, the program of the terminal a command that keeps the same. */
const cline: Agent = {
  id: 'cline',
  name: 'Cline',
  api: 'chat',
  notes: ['in_app'],
  write: (facts) => {
    const { address, key, main } = facts
    const words = ['--baseurl', `${address}/v1`, '--modelid', main.name, '--apikey', key].map(shellWord)
    return [screenOf(facts), shellText(`cline auth --provider openai-compatible ${words.join(' ')}\ncline`)]
  },
}

/** cursor.com/docs, API keys */
const cursor: Agent = {
  id: 'cursor',
  name: 'Cursor',
  api: 'chat',
  notes: ['in_app', 'public_address'],
  write: ({ address, key, models }) => [
    fieldsText({
      'OpenAI API Key': key,
      'Override OpenAI Base URL': `${address}/v1`,
      'Add model': models.map(({ name }) => name).join(', '),
    }),
  ],
}

/** docs.continue.dev/reference */
const continueDev: Agent = {
  id: 'continue',
  name: 'Continue',
  api: 'chat',
  notes: ['merge_file'],
  write: ({ address, key, models }) => [
    {
      path: '~/.continue/config.yaml',
      language: 'yaml',
      text: [
        `name: ${providerName}`,
        'version: 1.0.0',
        'schema: v1',
        'models:',
        ...models.flatMap(({ name }) => [
          `  - name: ${quoted(name)}`,
          '    provider: openai',
          `    model: ${quoted(name)}`,
          `    apiBase: ${quoted(`${address}/v1`)}`,
          `    apiKey: ${quoted(key)}`,
          '    roles: [chat, edit, apply]',
        ]),
      ].join('\n'),
    },
  ],
}

/** zed.dev/docs/ai/llm-providers, OpenAI API Compatible */
const zed: Agent = {
  id: 'zed',
  name: 'Zed',
  api: 'chat',
  notes: ['merge_file'],
  write: ({ address, key, main, models }) => [
    jsonText('~/.config/zed/settings.json', {
      agent: { default_model: { provider: providerName, model: main.name } },
      language_models: {
        openai_compatible: {
          [providerName]: {
            api_url: `${address}/v1`,
            available_models: models.map((model) => ({
              name: model.name,
              display_name: model.name,
              max_tokens: contextOf(model),
              max_output_tokens: outputOf(model),
              capabilities: {
                tools: true,
                images: model.takesPictures,
                parallel_tool_calls: false,
                prompt_cache_key: true,
              },
            })),
          },
        },
      },
    }),
    shellText(`${exports({ [keyVariable]: key })}\nzed`),
  ],
}

export const editorAgents: readonly Agent[] = [
  cline,
  formOf('roo-code', 'Roo Code'),
  formOf('kilo-code', 'Kilo Code'),
  cursor,
  continueDev,
  zed,
]
