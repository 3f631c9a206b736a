import { ask } from './scene.ts'

/** The same short question in each dialect that clients speak. */

export const clientDialects = ['messages', 'chat', 'responses', 'gemini'] as const
export type ClientDialectName = (typeof clientDialects)[number]

interface Asking {
  readonly stream?: boolean
  readonly text?: string
  readonly more?: Record<string, unknown>
}

/** Asks `model` in a dialect; `more` are further members of the body. */
export const askIn = (
  dialect: ClientDialectName,
  model: string,
  { stream = false, text = 'hi', more = {} }: Asking = {},
): Promise<Response> => {
  switch (dialect) {
    case 'messages':
      return ask(
        { model, max_tokens: 16_000, messages: [{ role: 'user', content: text }], stream, ...more },
        '/v1/messages',
      )
    case 'chat':
      return ask({ model, max_tokens: 16_000, messages: [{ role: 'user', content: text }], stream, ...more })
    case 'responses':
      return ask({ model, max_output_tokens: 16_000, input: text, stream, ...more }, '/v1/responses')
    case 'gemini': {
      const verb = stream ? 'streamGenerateContent?alt=sse' : 'generateContent'
      const contents = [{ role: 'user', parts: [{ text }] }]
      return ask(JSON.stringify({ contents, ...more }), `/v1beta/models/${model}:${verb}`)
    }
  }
}

/** Every dialect, streamed and not. */
export const everyWay: readonly (readonly [dialect: ClientDialectName, stream: boolean])[] = clientDialects.flatMap(
  (dialect) => [[dialect, false] as const, [dialect, true] as const],
)
