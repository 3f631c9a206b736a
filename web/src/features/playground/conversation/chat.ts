import { ApiError } from '../../../lib/api/api.ts'
import { useApiMessages } from '../../../lib/api/api-messages.ts'
import { createStore, type Store } from '../../../lib/preferences/store.ts'
import type { Kept, Preset, Settings } from '../settings.ts'
import {
  type Conversation,
  emptyConversation,
  historyOf,
  reopened,
  type Summary,
  turnsOf,
  withChange,
  withChosen,
  withMessages,
  withoutBranch,
  withVersion,
} from './conversation.ts'
import type { History } from './history.ts'
import { openSight } from './merge.ts'
import { completed, type Message, newId, newMessage, type Piece, withPiece } from './message.ts'
import { chatRequest } from './request.ts'
import type { streamChat } from './stream.ts'

export interface ChatParts {
  readonly history: Promise<History>
  readonly kept: Kept
  readonly keep: (kept: Kept) => void
  readonly stream: typeof streamChat
  /** The charge of a request, once it is known. */
  readonly chargeOf: (requestId: string) => Promise<number | undefined>
  /** Calls back before the next picture is drawn. */
  readonly nextFrame: (act: () => void) => void
  readonly now: () => number
}

export interface ChatState extends Kept {
  readonly conversation: Conversation
  readonly summaries: readonly Summary[]
  /** False until the stored conversations have been read. */
  readonly ready: boolean
  readonly busy: boolean
  /** The conversation as it was before something was deleted from it. */
  readonly undo?: Conversation | undefined
}

export interface Chat {
  readonly store: Store<ChatState>
  send(text: string, images: readonly string[]): void
  /** Asks a question again; with another text as another version of it. */
  resend(questionId: string, text?: string): void
  /** Deletes a message and the messages that follow it. */
  remove(id: string): void
  undo(): void
  /** Goes to the version before (−1) or after (1) this one. */
  step(id: string, by: -1 | 1): void
  /** Goes on with this one of several answers. */
  choose(id: string): void
  stop(): void
  /** Starts a new conversation without context; the old one stays in the history. */
  clear(): void
  open(id: string): Promise<void>
  forget(id: string): Promise<void>
  forgetAll(): Promise<void>
  setSettings(changes: Partial<Settings>): void
  setPresets(presets: readonly Preset[]): void
}

/** While an answer grows it is kept this often, so that a closed window loses little. */
const keepEveryMs = 1000

const failureText = (error: unknown): string =>
  error instanceof ApiError ? error.message : useApiMessages.say('network')

/**
 * The conversations of one user. They live outside the screen, so that an answer continues while another screen is
 * open.
 */
export const createChat = (parts: ChatParts): Chat => {
  const store = createStore<ChatState>({
    ...parts.kept,
    conversation: emptyConversation(),
    summaries: [],
    ready: false,
    busy: false,
  })
  const running = new Map<string, AbortController>()
  let waiting: { id: string; piece: Piece; elapsed: number }[] = []
  let keptAt = 0
  const sight = openSight()

  const set = (changes: Partial<ChatState>): void => store.set({ ...store.get(), ...changes })

  const rememberKept = (): void => {
    const { settings, presets, conversation } = store.get()
    parts.keep({ settings, presets, open: conversation.id })
  }

  const keepConversation = async (): Promise<void> => {
    const { conversation } = store.get()
    keptAt = parts.now()
    const seen = sight.of(conversation)
    const history = await parts.history
    const written = await history.write(conversation, seen)
    const open = store.get().conversation
    if (open.id === written.id) set({ conversation: sight.takeOver(open, conversation, written) })
    set({ summaries: await history.list() })
  }

  /** A browser that keeps nothing is no failure of the conversation. */
  const keepSoon = (): void => void keepConversation().catch(() => undefined)

  const change = (update: (before: Conversation) => Conversation, more: Partial<ChatState> = {}): void => {
    set({ conversation: update(store.get().conversation), undo: undefined, ...more })
    keepSoon()
  }

  /** Everything that came since the last picture, drawn at once. */
  const flush = (): void => {
    if (waiting.length === 0) return
    const pieces = waiting
    waiting = []
    let { conversation } = store.get()
    for (const { id, piece, elapsed } of pieces)
      conversation = withChange(conversation, id, (message) => withPiece(message, piece, elapsed))
    set({ conversation })
    if (parts.now() - keptAt > keepEveryMs) keepSoon()
  }

  const push = (id: string, piece: Piece, elapsed: number): void => {
    if (waiting.length === 0) parts.nextFrame(flush)
    waiting.push({ id, piece, elapsed })
  }

  /** Notes something about an answer, also when another conversation has been opened since. */
  const note = async (conversationId: string, id: string, facts: Partial<Message>): Promise<void> => {
    const noted = (conversation: Conversation): Conversation =>
      withChange(conversation, id, (message) => ({ ...message, ...facts }))
    const { conversation } = store.get()
    if (conversation.id === conversationId) {
      set({ conversation: noted(conversation) })
      await keepConversation()
      return
    }
    const history = await parts.history
    const left = await history.read(conversationId)
    if (!left) return
    const seen = openSight()
    await history.write(noted(seen.read(left)), seen.of(left))
  }

  const answer = async (reply: Message, body: Record<string, unknown>): Promise<void> => {
    const conversationId = store.get().conversation.id
    const begun = parts.now()
    const elapsed = (): number => Math.round(parts.now() - begun)
    const controller = new AbortController()
    running.set(reply.id, controller)
    const settle = (update: (message: Message) => Message): void => {
      flush()
      set({ conversation: withChange(store.get().conversation, reply.id, update) })
    }
    let requestId = ''
    try {
      await parts.stream(
        body,
        {
          onPiece: (piece) => push(reply.id, piece, elapsed()),
          onStart: (id) => {
            requestId = id
          },
        },
        controller.signal,
      )
      settle((message) => completed(message, elapsed()))
    } catch (error) {
      if (controller.signal.aborted) settle((message) => completed(message, elapsed(), { stopped: true }))
      else {
        if (error instanceof ApiError) requestId ||= error.requestId
        settle((message) => withPiece(message, { kind: 'error', text: failureText(error) }, elapsed()))
      }
    }
    running.delete(reply.id)
    set({ busy: running.size > 0 })
    await note(conversationId, reply.id, { requestId })
    const quota = requestId === '' ? undefined : await parts.chargeOf(requestId)
    if (quota !== undefined) await note(conversationId, reply.id, { quota })
  }

  /** Every chosen model answers the question, all at the same time. */
  const ask = (questionId: string): void => {
    const { settings, conversation } = store.get()
    const models = [...new Set([settings.model, ...settings.compare])]
    const round = newId()
    const replies = models.map((model) =>
      newMessage('assistant', '', { status: 'loading', parent: questionId, round, model }),
    )
    const history = historyOf(conversation, questionId)
    change((before) => withMessages(before, replies), { busy: true })
    for (const reply of replies) answer(reply, chatRequest(settings, history, reply.model)).catch(() => undefined)
  }

  const stop = (): void => {
    for (const controller of running.values()) controller.abort()
  }

  /** The open conversation now, with unfinished answers ended. */
  const closed = (): Conversation => {
    flush()
    let { conversation } = store.get()
    for (const id of running.keys())
      conversation = withChange(conversation, id, (message) =>
        completed(message, message.totalMs ?? 0, { stopped: true }),
      )
    return conversation
  }

  const show = (conversation: Conversation): void => {
    stop()
    set({ conversation: sight.read(conversation), undo: undefined, busy: false })
    rememberKept()
  }

  /** Shows another conversation; the one that was open is kept. */
  const leaveFor = (conversation: Conversation): void => {
    if (running.size > 0) {
      set({ conversation: closed() })
      keepSoon()
    }
    show(conversation)
  }

  const begin = async (): Promise<void> => {
    const history = await parts.history
    const open = parts.kept.open === undefined ? undefined : await history.read(parts.kept.open)
    const begun = store.get().conversation.messages.length > 0
    set({
      ...(open && !begun ? { conversation: sight.read(reopened(open)) } : {}),
      summaries: await history.list(),
      ready: true,
    })
  }
  void begin().catch(() => set({ ready: true }))

  return {
    store,
    send(text, images) {
      const question = newMessage('user', text, {
        parent: turnsOf(store.get().conversation).at(-1)?.message.id ?? null,
        ...(images.length > 0 ? { images } : {}),
      })
      change((before) => withMessages(before, [question]))
      rememberKept()
      ask(question.id)
    },
    resend(questionId, text) {
      const question = store.get().conversation.messages.find(({ id }) => id === questionId)
      if (!question) return
      if (text === undefined || text === question.content) {
        change((before) => withChosen(before, questionId))
        ask(questionId)
        return
      }
      const { images, parent } = question
      const edited = newMessage('user', text, { parent, ...(images ? { images } : {}) })
      change((before) => withMessages(before, [edited]))
      ask(edited.id)
    },
    remove(id) {
      const undo = store.get().conversation
      change((before) => withoutBranch(before, id), { undo })
    },
    undo() {
      const { undo } = store.get()
      if (undo) change(() => undo)
    },
    step: (id, by) => change((before) => withVersion(before, id, by)),
    choose: (id) => change((before) => withChosen(before, id)),
    stop,
    clear: () => leaveFor(emptyConversation()),
    async open(id) {
      const found = await (await parts.history).read(id)
      if (found) leaveFor(reopened(found))
    },
    async forget(id) {
      if (store.get().conversation.id === id) show(emptyConversation())
      await (await parts.history).remove(id)
      set({ summaries: await (await parts.history).list() })
    },
    async forgetAll() {
      show(emptyConversation())
      await (await parts.history).clear()
      set({ summaries: [] })
    },
    setSettings(changes) {
      set({ settings: { ...store.get().settings, ...changes } })
      rememberKept()
    },
    setPresets(presets) {
      set({ presets })
      rememberKept()
    },
  }
}
