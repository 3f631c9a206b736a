import { ownMember } from '@tollgate/contract/own-member'
import type { OfferedCall } from '../../lib/api/contract.ts'
import classes from './home.module.css'
import { useHomeWords } from './messages.ts'

/** The purpose of the known paths; other paths have no description. */
const purposes = {
  '/v1/chat/completions': ['chat', 'chatText'],
  '/v1/messages': ['messages', 'messagesText'],
  '/v1/messages/count_tokens': ['count', 'countText'],
  '/v1/responses': ['responses', 'responsesText'],
  '/v1/responses/input_tokens': ['count', 'countText'],
  '/v1/responses/compact': ['compact', 'compactText'],
  '/v1beta/models/{model}:generateContent': ['generate', 'generateText'],
  '/v1beta/models/{model}:streamGenerateContent': ['generateStream', 'generateText'],
  '/v1beta/models/{model}:countTokens': ['count', 'countText'],
  '/v1beta/models/{model}:embedContent': ['embeddings', 'embeddingText'],
  '/v1beta/models/{model}:batchEmbedContents': ['embeddings', 'embeddingsText'],
  '/v1beta/models': ['models', 'modelsText'],
  '/v1beta/models/{model}': ['model', 'modelText'],
  '/v1/rerank': ['rerank', 'rerankText'],
  '/v1/completions': ['completions', 'completionsText'],
  '/v1/embeddings': ['embeddings', 'embeddingsText'],
  '/v1/moderations': ['moderations', 'moderationsText'],
  '/v1/models': ['models', 'modelsText'],
  '/v1/models/{model}': ['model', 'modelText'],
  '/mj/submit/imagine': ['drawing', 'drawingText'],
  '/mj/task/{id}/fetch': ['taskFetch', 'taskFetchText'],
  '/suno/submit/music': ['song', 'songText'],
  '/suno/fetch/{id}': ['taskFetch', 'taskFetchText'],
  '/v1/engines/{model}/embeddings': ['engineEmbeddings', 'engineEmbeddingsText'],
} as const

const dialects: Readonly<Record<string, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
  midjourney: 'Midjourney',
  suno: 'Suno',
}

const dialectName = (dialect: string): string => ownMember(dialects, dialect) ?? dialect

/** The calls of the site, as its route table has them. */
export const Calls = ({ calls }: { calls: readonly OfferedCall[] }) => {
  const say = useHomeWords()
  return (
    <ul className={`panel ${classes.calls}`}>
      {calls.map((call) => {
        const [name, text] = ownMember<(typeof purposes)[keyof typeof purposes]>(purposes, call.path) ?? []
        return (
          <li key={`${call.method} ${call.path}`}>
            <strong className="strong">{name ? say(name) : dialectName(call.dialect)}</strong>
            <code className="mono">
              <span className="faint">{call.method}</span> {call.path}
            </code>
            <span className="muted">{text && say(text)}</span>
            <span className={classes.dialect}>{dialectName(call.dialect)}</span>
          </li>
        )
      })}
    </ul>
  )
}
