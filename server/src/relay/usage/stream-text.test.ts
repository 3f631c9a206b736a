import { expect, it } from 'vitest'
import { answerText } from '../../dialects/openai-chat/answer-text.ts'
import { noExtras } from '../../dialects/tools/tools-used.ts'
import { StreamText } from './stream-text.ts'

const open = () =>
  new StreamText({
    textOf: answerText,
    says: () => true,
    inspect: () => {},
    extras: () => noExtras,
    isError: () => false,
  })

const word = (content: string): Buffer =>
  Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)

it('says what a stream held, however long, while others end and begin', () => {
  const streams = ['a', 'b', 'c'].map((letter) => ({ letter, produced: open() }))
  for (let number = 0; number < 2000; number += 1) {
    for (const { letter, produced } of streams) produced.add(word(letter))
    const short = open()
    short.add(word(`short ${number}`))
    expect(short.text).toBe(`short ${number}`)
    short.close()
  }
  for (const { letter, produced } of streams) {
    expect(produced.text).toBe(letter.repeat(2000))
    produced.close()
    expect(produced.text).toBe(letter.repeat(2000))
  }
})

it('hands the buffer of an ended stream to one other at most', () => {
  const ended = open()
  ended.add(word('ended'))
  ended.close()
  ended.close()
  const [first, second] = [open(), open()]
  first.add(word('first'))
  second.add(word('second'))
  expect([first.text, second.text]).toEqual(['first', 'second'])
})
