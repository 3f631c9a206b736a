import { describe, expect, it } from 'vitest'
import {
  emptyConversation,
  historyOf,
  reopened,
  summaryOf,
  turnsOf,
  withChosen,
  withMessages,
  withoutBranch,
  withVersion,
} from './conversation.ts'
import { type ChatMessage, newMessage } from './message.ts'

const ask = (id: string, parent: string | null): ChatMessage => ({ ...newMessage('user', id, { parent }), id })
const answer = (id: string, parent: string, round: string): ChatMessage => ({
  ...newMessage('assistant', id, { parent, round }),
  id,
})

const first = withMessages(withMessages(emptyConversation(), [ask('q1', null)]), [answer('a1', 'q1', 'r1')])
const path = (conversation: typeof first): string[] => turnsOf(conversation).map((turn) => turn.message.id)

describe('a conversation', () => {
  it('branches where a question is edited, and both branches stay', () => {
    const more = withMessages(withMessages(first, [ask('q2', 'a1')]), [answer('a2', 'q2', 'r2')])
    const edited = withMessages(withMessages(more, [ask('q1b', null)]), [answer('b1', 'q1b', 'r3')])
    expect(path(edited)).toEqual(['q1b', 'b1'])
    expect(turnsOf(edited)[0]).toMatchObject({ version: 2, versions: 2 })
    const back = withVersion(edited, 'q1b', -1)
    expect(path(back)).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(path(withVersion(back, 'q1', 1))).toEqual(['q1b', 'b1'])
    expect(withVersion(back, 'q1', -1)).toBe(back)
  })

  it('sets answers of one round side by side and goes on with the chosen one', () => {
    const compared = withMessages(withMessages(emptyConversation(), [ask('q1', null)]), [
      answer('a1', 'q1', 'r1'),
      answer('a2', 'q1', 'r1'),
    ])
    expect(turnsOf(compared)[1]).toMatchObject({ message: { id: 'a1' }, version: 1, versions: 1 })
    expect(turnsOf(compared)[1]?.beside.map(({ id }) => id)).toEqual(['a1', 'a2'])
    const other = withMessages(withChosen(compared, 'a2'), [ask('q2', 'a2')])
    expect(historyOf(other, 'q2').map(({ id }) => id)).toEqual(['q1', 'a2', 'q2'])
    const again = withMessages(compared, [answer('a3', 'q1', 'r2')])
    expect(turnsOf(again)[1]).toMatchObject({ message: { id: 'a3' }, version: 2, versions: 2 })
  })

  it('loses what follows from a deleted message, and nothing else', () => {
    const more = withMessages(withMessages(first, [ask('q2', 'a1')]), [answer('a2', 'q2', 'r2')])
    expect(path(withoutBranch(more, 'q2'))).toEqual(['q1', 'a1'])
    expect(withoutBranch(more, 'q1').messages).toEqual([])
  })

  it('is named by its first question', () => {
    expect(summaryOf(first).title).toBe('q1')
    expect(summaryOf(emptyConversation()).title).toBe('')
  })

  it('has no growing answers when it is opened again', () => {
    const growing = withMessages(first, [
      { ...newMessage('assistant', 'half', { parent: 'q1', status: 'incomplete', totalMs: 40 }), id: 'x' },
    ])
    expect(reopened(growing).messages.at(-1)).toMatchObject({ status: 'complete', stopped: true, content: 'half' })
  })
})
