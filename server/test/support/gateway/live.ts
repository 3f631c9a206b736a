import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { shut } from './listener.ts'

/** An upstream with sessions of Gemini Live, as strict as Google's, for tests. */

type Message = Readonly<Record<string, unknown>>

export interface LiveSession {
  readonly path: string
  readonly key: string
  /** As they came, parsed. */
  readonly received: Message[]
  /** In binary frames, as Google sends them. */
  say(...messages: readonly Message[]): void
  close(code: number, reason: string): void
  drop(): void
  /** Resolves with the close code when the other side has gone. */
  readonly closed: Promise<number>
}

export interface TestLive {
  readonly url: string
  readonly sessions: LiveSession[]
  /** Keys that it knows. */
  readonly keys: Set<string>
  /** Called for each message behind the setup. */
  answer: (message: Message, session: LiveSession) => void
  close(): Promise<void>
}

const paths = new Set([
  '/ws/google.ai.generativelanguage.v1.GenerativeService.BidiGenerateContent',
  '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
  '/ws/google.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateContent',
  '/ws/google.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateMusic',
  '/ws/google.cloud.aiplatform.v1beta1.LlmBidiService/BidiGenerateContent',
])
const clientMessages =
  /^(setup|client_?[cC]ontent|realtime_?[iI]nput|tool_?[rR]esponse|context_?[uU]pdate|musicGenerationConfig|playbackControl)$/

/** Why Google would close a session for this message; undefined where it would not. */
const faultIn = (message: Message, session: LiveSession, keys: ReadonlySet<string>): [number, string] | undefined => {
  if (!keys.has(session.key)) return [1008, 'API key not valid. Please pass a valid API key.']
  const unknown = Object.keys(message).find((name) => !clientMessages.test(name))
  if (unknown !== undefined) return [1007, `Invalid JSON payload received. Unknown name "${unknown}"`]
  const isFirst = session.received.length === 1
  if (isFirst !== (message.setup !== undefined)) return [1007, 'setup must be the first message and only the first']
  if (message.setup === undefined) return undefined
  const { model } = message.setup as Message
  const form = session.path.includes('aiplatform') ? 'publishers/google/models/' : 'models/'
  if (typeof model !== 'string' || !model.startsWith(form)) return [1007, `model must be ${form}{model}`]
  return model === 'models/unknown' ? [1008, `${model} is not found for API version v1beta`] : undefined
}

export const openTestLive = async (): Promise<TestLive> => {
  const server = createServer({ keepAliveTimeout: 0 }, (_, response) => response.writeHead(404).end())
  const sockets = new WebSocketServer({ noServer: true })
  const open = (socket: WebSocket, path: string, key: string): void => {
    const session: LiveSession = {
      path,
      key,
      received: [],
      say: (...messages) => {
        for (const message of messages) socket.send(Buffer.from(JSON.stringify(message)))
      },
      close: (code, reason) => socket.close(code, reason),
      drop: () => socket.terminate(),
      closed: new Promise((resolve) => socket.on('close', resolve)),
    }
    opened.sessions.push(session)
    socket.on('message', (data) => {
      const message = JSON.parse(data.toString()) as Message
      session.received.push(message)
      const fault = faultIn(message, session, opened.keys)
      if (fault !== undefined) socket.close(...fault)
      else if (message.setup === undefined) opened.answer(message, session)
      else session.say({ setupComplete: {} })
    })
  }
  server.on('upgrade', (request, socket, head) => {
    // A client that is refused may cut the connection, and nothing else listens for it here.
    socket.on('error', () => {})
    const { pathname, search } = new URL(request.url ?? '', 'http://upstream')
    if (!paths.has(pathname) || search !== '') {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
      return
    }
    const key = String(request.headers['x-goog-api-key'] ?? '')
    sockets.handleUpgrade(request, socket, head, (accepted) => open(accepted, pathname, key))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const opened: TestLive = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sessions: [],
    keys: new Set(['upstream-key']),
    answer: () => {},
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      await shut(server)
    },
  }
  return opened
}

/** Google's report at the end of a turn: 417 tokens of text read, 60 of sound spoken, 40 thought. */
export const turnEnd: Message = {
  serverContent: { turnComplete: true },
  usageMetadata: {
    promptTokenCount: 417,
    responseTokenCount: 60,
    totalTokenCount: 477,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 417 }],
    responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 60 }],
    thoughtsTokenCount: 40,
  },
}

export const said = (data: Buffer): Message => ({
  serverContent: {
    modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data: data.toString('base64') } }] },
  },
})
