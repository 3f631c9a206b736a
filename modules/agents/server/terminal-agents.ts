import { makersAgents } from './makers-agents.ts'
import {
  type Agent,
  contextOf,
  exports,
  jsonText,
  keyVariable,
  outputOf,
  providerId,
  providerName,
  quoted,
  type SetupFacts,
  shellText,
  variables,
} from './setup.ts'

/** Agents of the terminal; `npm run clients` starts those that registries have with these settings. */

/** opencode.ai/docs/providers, …/docs/models */
const opencodeSettings = (
  path: string,
  schema: string,
  program: string,
  { address, key, main, models }: SetupFacts,
) => [
  jsonText(path, {
    $schema: schema,
    model: `${providerId}/${main.name}`,
    small_model: `${providerId}/${main.name}`,
    provider: {
      [providerId]: {
        npm: '@ai-sdk/openai-compatible',
        name: providerName,
        options: { baseURL: `${address}/v1`, apiKey: `{env:${keyVariable}}` },
        models: Object.fromEntries(
          models.map((model) => [
            model.name,
            {
              name: model.name,
              limit: { context: contextOf(model), output: outputOf(model) },
              ...(model.thinks ? { reasoning: true } : {}),
              ...(model.takesPictures ? { attachment: true } : {}),
            },
          ]),
        ),
      },
    },
  }),
  shellText(`${exports({ [keyVariable]: key })}\n${program}`),
]

const opencode: Agent = {
  id: 'opencode',
  name: 'OpenCode',
  api: 'chat',
  notes: ['merge_file'],
  write: (facts) =>
    opencodeSettings('~/.config/opencode/opencode.json', 'https://opencode.ai/config.json', 'opencode', facts),
}

/** kilo.ai/docs/cli: it reads what OpenCode reads. */
const kiloCli: Agent = {
  id: 'kilo-cli',
  name: 'Kilo Code CLI',
  api: 'chat',
  notes: ['merge_file'],
  write: (facts) => opencodeSettings('~/.config/kilo/kilo.json', 'https://app.kilo.ai/config.json', 'kilo', facts),
}

/** pi.dev/docs, Custom Models */
const pi: Agent = {
  id: 'pi',
  name: 'pi',
  api: 'chat',
  notes: ['merge_file'],
  write: ({ address, key, main, models }) => [
    jsonText('~/.pi/agent/models.json', {
      providers: {
        [providerId]: {
          baseUrl: `${address}/v1`,
          api: 'openai-completions',
          apiKey: keyVariable,
          compat: { sendSessionAffinityHeaders: true },
          models: models.map((model) => ({
            id: model.name,
            reasoning: model.thinks,
            input: model.takesPictures ? ['text', 'image'] : ['text'],
            contextWindow: contextOf(model),
            maxTokens: outputOf(model),
          })),
        },
      },
    }),
    jsonText('~/.pi/agent/settings.json', { defaultProvider: providerId, defaultModel: main.name }),
    shellText(`${exports({ [keyVariable]: key })}\npi`),
  ],
}

/** aider.chat/docs/llms/openai-compat.html, …/docs/config/aider_conf.html */
const aider: Agent = {
  id: 'aider',
  name: 'aider',
  api: 'chat',
  notes: ['merge_file'],
  write: ({ address, key, main, models }) => [
    {
      path: '~/.aider.conf.yml',
      language: 'yaml',
      text: [
        `openai-api-base: ${quoted(`${address}/v1`)}`,
        `openai-api-key: ${quoted(key)}`,
        `model: ${quoted(`openai/${main.name}`)}`,
        `weak-model: ${quoted(`openai/${main.name}`)}`,
        'show-model-warnings: false',
      ].join('\n'),
    },
    jsonText(
      '~/.aider.model.metadata.json',
      Object.fromEntries(
        models.map((model) => [
          `openai/${model.name}`,
          {
            max_input_tokens: contextOf(model),
            max_output_tokens: outputOf(model),
            litellm_provider: 'openai',
            mode: 'chat',
          },
        ]),
      ),
    ),
    shellText('aider'),
  ],
}

/** qwenlm.github.io/qwen-code-docs, configuration/settings */
const qwenCode: Agent = {
  id: 'qwen-code',
  name: 'Qwen Code',
  api: 'chat',
  notes: ['merge_file'],
  write: ({ address, key, main }) => [
    jsonText('~/.qwen/settings.json', {
      security: { auth: { selectedType: 'openai' } },
      model: { name: main.name, generationConfig: { contextWindowSize: contextOf(main) } },
    }),
    {
      path: '~/.qwen/.env',
      language: 'bash',
      text: variables({
        OPENAI_BASE_URL: `${address}/v1`,
        OPENAI_API_KEY: key,
        OPENAI_MODEL: main.name,
        QWEN_CODE_MAX_OUTPUT_TOKENS: String(outputOf(main)),
      }),
    },
    shellText('qwen'),
  ],
}

/** block.github.io/goose/docs/getting-started/providers */
const goose: Agent = {
  id: 'goose',
  name: 'Goose',
  api: 'chat',
  notes: ['merge_file'],
  write: ({ address, key, main }) => [
    {
      path: '~/.config/goose/config.yaml',
      language: 'yaml',
      text: ['GOOSE_PROVIDER: openai', `GOOSE_MODEL: ${quoted(main.name)}`, `OPENAI_HOST: ${quoted(address)}`].join(
        '\n',
      ),
    },
    shellText(`${exports({ OPENAI_API_KEY: key })}\ngoose session`),
  ],
}

/** github.com/charmbracelet/crush, Custom Providers */
const crush: Agent = {
  id: 'crush',
  name: 'Crush',
  api: 'chat',
  notes: ['merge_file'],
  write: ({ address, key, models }) => [
    jsonText('~/.config/crush/crush.json', {
      $schema: 'https://charm.land/crush.json',
      providers: {
        [providerId]: {
          name: providerName,
          type: 'openai-compat',
          base_url: `${address}/v1`,
          api_key: `$${keyVariable}`,
          models: models.map((model) => ({
            id: model.name,
            name: model.name,
            context_window: contextOf(model),
            default_max_tokens: outputOf(model),
            can_reason: model.thinks,
            supports_attachments: model.takesPictures,
          })),
        },
      },
    }),
    shellText(`${exports({ [keyVariable]: key })}\ncrush`),
  ],
}

export const terminalAgents: readonly Agent[] = [...makersAgents, opencode, kiloCli, pi, aider, qwenCode, goose, crush]
