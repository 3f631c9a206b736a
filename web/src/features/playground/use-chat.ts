import { useRef, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { useApiWords } from '../../lib/api-messages.ts'
import { readJson, writeJson } from '../../lib/storage.ts'
import { chatRequest, completed, defaultSettings, type Message, type Settings, withPiece } from './conversation.ts'
import { streamChat } from './stream.ts'

interface Kept {
  settings: Settings
  messages: readonly Message[]
}

/** What an earlier visit left; an answer that was growing then has ended. */
const readKept = (): Kept => {
  const given = readJson('playground') as Partial<Kept> | undefined
  return {
    settings: { ...defaultSettings, ...given?.settings },
    messages: Array.isArray(given?.messages)
      ? given.messages.map((message) => completed(message, message.totalMs ?? 0, { stopped: true }))
      : [],
  }
}

const keep = ({ settings, messages }: Kept): void =>
  writeJson('playground', { settings, messages: messages.map(({ images: _, ...message }) => message) })

const newMessage = (role: Message['role'], content: string, more: Partial<Message> = {}): Message => ({
  id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`,
  role,
  content,
  createAt: Date.now(),
  status: 'complete',
  ...more,
})

export interface Chat {
  settings: Settings
  setSettings: (changes: Partial<Settings>) => void
  messages: readonly Message[]
  busy: boolean
  send: (text: string, images: readonly string[]) => void
  /** Answers the last question again; with text, the question is changed first. */
  resend: (questionId: string, text?: string) => void
  remove: (id: string) => void
  stop: () => void
  clear: () => void
}

const failureText = (error: unknown): string => (error instanceof ApiError ? error.message : useApiWords.say('network'))

/** A conversation that lives in this browser. One answer runs at a time. */
export const useChat = (): Chat => {
  const [kept, setKept] = useState(readKept)
  const [busy, setBusy] = useState(false)
  const running = useRef<AbortController>(undefined)

  const change = (update: (before: Kept) => Kept, { store = true } = {}): void =>
    setKept((before) => {
      const next = update(before)
      if (store) keep(next)
      return next
    })
  const changeMessage = (id: string, update: (message: Message) => Message, options?: { store: boolean }): void =>
    change(
      (before) => ({ ...before, messages: before.messages.map((entry) => (entry.id === id ? update(entry) : entry)) }),
      options,
    )

  const answer = async (history: readonly Message[]): Promise<void> => {
    const reply = newMessage('assistant', '', { status: 'loading' })
    const begun = performance.now()
    const elapsed = (): number => Math.round(performance.now() - begun)
    const controller = new AbortController()
    running.current = controller
    setBusy(true)
    change((before) => ({ ...before, messages: [...history, reply] }))
    try {
      await streamChat(
        chatRequest(kept.settings, history),
        (piece) => changeMessage(reply.id, (message) => withPiece(message, piece, elapsed()), { store: false }),
        controller.signal,
      )
      changeMessage(reply.id, (message) => completed(message, elapsed()))
    } catch (error) {
      if (controller.signal.aborted)
        changeMessage(reply.id, (message) => completed(message, elapsed(), { stopped: true }))
      else
        changeMessage(reply.id, (message) => withPiece(message, { kind: 'error', text: failureText(error) }, elapsed()))
    } finally {
      if (running.current === controller) {
        running.current = undefined
        setBusy(false)
      }
    }
  }

  const stop = (): void => running.current?.abort()
  return {
    ...kept,
    busy,
    setSettings: (changes) => change((before) => ({ ...before, settings: { ...before.settings, ...changes } })),
    send: (text, images) =>
      void answer([...kept.messages, newMessage('user', text, images.length > 0 ? { images } : {})]),
    resend: (questionId, text) => {
      const at = kept.messages.findIndex((message) => message.id === questionId)
      const question = kept.messages[at]
      if (!question) return
      void answer([...kept.messages.slice(0, at), text === undefined ? question : { ...question, content: text }])
    },
    remove: (id) => change((before) => ({ ...before, messages: before.messages.filter((entry) => entry.id !== id) })),
    stop,
    clear: () => {
      stop()
      change((before) => ({ ...before, messages: [] }))
    },
  }
}
