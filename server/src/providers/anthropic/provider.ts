import { claudeAdjustment, claudeDialect, claudeHeaders, plainClaude } from '../dialects/claude.ts'
import { withMessagesSwitch } from '../dialects/engine-thinking.ts'
import { genericKeyHint } from '../dialects/openai.ts'
import type { Provider } from '../provider.ts'
import models from './models.json' with { type: 'json' }

const version = '2023-06-01'

const authorization = (key: string): Record<string, string> => ({ 'x-api-key': key, 'anthropic-version': version })

/** Every Claude model answers at `/v1/messages`, whatever its family. */
export const anthropic: Provider = {
  type: 14,
  name: 'Anthropic',
  console: {
    label: { zh: 'Anthropic Claude', en: 'Anthropic Claude' },
    color: 'indigo',
    key_hint: genericKeyHint,
    fields: [],
  },
  baseUrl: 'https://api.anthropic.com',
  models,
  owner: 'claude',
  streamOptions: false,
  languages: [{ name: 'anthropic', dialect: claudeDialect, path: '/v1/messages' }],
  adjust: (request) => withMessagesSwitch(request, claudeAdjustment(request)),
  leavesPlain: plainClaude,
  otherCalls: false,
  countsTokens: true,
  freesRefusals: true,
  url: ({ channel, path }) => `${channel.baseUrl}${path}`,
  headers: ({ key, passed, model, options }) => ({
    ...authorization(key),
    ...passed,
    ...claudeHeaders(model, options),
  }),
  modelList: (channel, key) => ({
    url: `${channel.baseUrl}/v1/models?limit=1000`,
    headers: authorization(key),
  }),
}
