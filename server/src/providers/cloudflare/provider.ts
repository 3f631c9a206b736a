import { isObject, type JsonObject, objectsOf } from '../../dialects/conversation/json.ts'
import type { UpstreamDialect } from '../../dialects/dialect.ts'
import { openaiEmbeddings } from '../../dialects/media/embeddings.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { compatible, pathBehindVersion } from '../dialects/openai.ts'
import { plainCapabilities } from '../dialects/plain-capabilities.ts'
import type { Provider } from '../provider.ts'
import models from './models.json' with { type: 'json' }
import { errorOf, pictures, runPath } from './pictures.ts'
import { transcripts } from './transcripts.ts'

const chat = openaiChat({ ...plainCapabilities, streamOptions: true, effort: (model) => model.includes('gpt-oss') })

/** Turns the content of a structured answer, which Cloudflare returns as an object, into JSON text. */
const withTextContent = (json: JsonObject): JsonObject => ({
  ...json,
  choices: objectsOf(json.choices).map(({ message, ...rest }) =>
    isObject(message) && isObject(message.content)
      ? { ...rest, message: { ...message, content: JSON.stringify(message.content) } }
      : { ...rest, message },
  ),
})

const dialect: UpstreamDialect = { ...chat, readAnswer: (json) => chat.readAnswer(withTextContent(json)), errorOf }

/** The address contains the account's id (developers.cloudflare.com/workers-ai/configuration/open-ai-compatibility). */
const url: Provider['url'] = ({ channel, path, model }) => {
  const account = `${channel.baseUrl}/client/v4/accounts/${channel.other}/ai`
  return path === runPath ? `${account}/run/${encodeURI(model)}` : `${account}/v1${pathBehindVersion(path)}`
}

export const cloudflare: Provider = {
  ...compatible({
    type: 39,
    name: 'Cloudflare',
    label: { zh: 'Cloudflare', en: 'Cloudflare' },
    color: 'grey',
    baseUrl: 'https://api.cloudflare.com',
    owner: 'cloudflare',
    models,
    fields: [{ column: 'other', label: { zh: 'Account ID', en: 'Account ID' }, required: true }],
    streamOptions: true,
    url,
    modelList: false,
  }),
  languages: [{ name: dialect.name, dialect: () => dialect, path: '/v1/chat/completions' }],
  otherCalls: false,
  embeddings: { ...openaiEmbeddings, errorOf, path: '/v1/embeddings' },
  transcripts,
  pictures,
}
