import { createStore, type Store } from '../../../lib/preferences/store.ts'
import { type CallKind, kindIn } from '../calls/call-kinds.ts'
import { requestOf } from '../calls/requests.ts'
import type { PlaygroundSettings, PromptPreset, StoredPlayground } from '../settings.ts'
import { type AnswerParts, createAnswers } from './answers.ts'
import {
  type ChatConversation,
  type ConversationSummary,
  emptyConversation,
  historyOf,
  reopened,
  turnsOf,
  withChange,
  withChosen,
  withMessages,
  withoutBranch,
  withVersion,
} from './conversation.ts'
import type { History } from './history.ts'
import { openSight } from './merge.ts'
import { type ChatMessage, completed, newId, newMessage } from './message.ts'

export interface ChatParts extends Pick<AnswerParts, 'send' | 'chargeOf' | 'nextFrame' | 'now'> {
  readonly history: Promise<History>
  readonly kept: StoredPlayground
  readonly keep: (kept: StoredPlayground) => void
}

export interface ChatState extends StoredPlayground {
  readonly conversation: ChatConversation
  readonly summaries: readonly ConversationSummary[]
  /** False until the stored conversations have been read. */
  readonly ready: boolean
  readonly busy: boolean
  /** Kinds of calls of models that are not for conversations; undefined for models that cannot be tried. */
  readonly kinds: ReadonlyMap<string, CallKind | undefined>
  /** The conversation as it was before something was deleted from it. */
  readonly undo?: ChatConversation | undefined
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
  setSettings(changes: Partial<PlaygroundSettings>): void
  setPresets(presets: readonly PromptPreset[]): void
  setKinds(kinds: ChatState['kinds']): void
}

/** While an answer grows it is kept this often, so that a closed window loses little. */
const keepEveryMs = 1000

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
    kinds: new Map(),
  })
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

  const change = (update: (before: ChatConversation) => ChatConversation, more: Partial<ChatState> = {}): void => {
    set({ conversation: update(store.get().conversation), undo: undefined, ...more })
    keepSoon()
  }

  /** Notes something about an answer, also when another conversation has been opened since. */
  const note = async (conversationId: string, id: string, facts: Partial<ChatMessage>): Promise<void> => {
    const noted = (conversation: ChatConversation): ChatConversation =>
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

  const answers = createAnswers({
    ...parts,
    conversationId: () => store.get().conversation.id,
    change: (update) => set({ conversation: update(store.get().conversation) }),
    onDrawn: () => {
      if (parts.now() - keptAt > keepEveryMs) keepSoon()
    },
    onEnded: () => set({ busy: answers.running().length > 0 }),
    note,
  })

  /** Every chosen model that can be tried answers the question, all at the same time. */
  const ask = (questionId: string): void => {
    const { settings, conversation, kinds } = store.get()
    const round = newId()
    const history = historyOf(conversation, questionId)
    const asked = [...new Set([settings.model, ...settings.compare])].flatMap((model) => {
      const kind = kindIn(kinds, model, settings)
      if (kind === undefined) return []
      const facts = { status: 'loading', parent: questionId, round, model } as const
      const reply = newMessage('assistant', '', kind === 'chat' ? facts : { ...facts, kind })
      return [{ reply, request: requestOf(kind, settings, history, model) }]
    })
    if (asked.length === 0) return
    const replies = asked.map(({ reply }) => reply)
    change((before) => withMessages(before, replies), { busy: true })
    for (const { reply, request } of asked) answers.begin(reply, request)
  }

  /** The open conversation now, with unfinished answers ended. */
  const closed = (): ChatConversation => {
    answers.draw()
    let { conversation } = store.get()
    for (const id of answers.running())
      conversation = withChange(conversation, id, (message) =>
        completed(message, message.totalMs ?? 0, { stopped: true }),
      )
    return conversation
  }

  const show = (conversation: ChatConversation): void => {
    answers.stop()
    set({ conversation: sight.read(conversation), undo: undefined, busy: false })
    rememberKept()
  }

  /** Shows another conversation; the one that was open is kept. */
  const leaveFor = (conversation: ChatConversation): void => {
    if (answers.running().length > 0) {
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
    stop: answers.stop,
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
    setKinds: (kinds) => set({ kinds }),
  }
}
