import { sessionStore, storedUser } from '../../../lib/api/session.ts'
import { sendRequest } from '../calls/send.ts'
import { readKept, writeKept } from '../settings.ts'
import { chargeOf } from './charge.ts'
import { type Chat, createChat } from './chat.ts'
import { openHistory } from './history.ts'

let current: { readonly userId: number; readonly chat: Chat } | undefined

/** Stops all answers when the user signs out. */
sessionStore.subscribe(() => {
  if (current === undefined || storedUser()?.id === current.userId) return
  current.chat.stop()
  current = undefined
})

/** The conversations of this person, which outlive the screen. */
export const chatOf = (userId: number): Chat => {
  if (current?.userId !== userId) {
    const chat = createChat({
      history: openHistory(userId),
      kept: readKept(userId),
      keep: (kept) => writeKept(userId, kept),
      send: sendRequest,
      chargeOf,
      nextFrame: (act) => void requestAnimationFrame(act),
      now: () => performance.now(),
    })
    current = { userId, chat }
  }
  return current.chat
}
