import { expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import { type LinkMessage, openMessageLink, type ProcessPipe, type Services } from './message-link.ts'

/** Two ends of a pipe that copies messages as processes do. */
const pipes = (): [ProcessPipe, ProcessPipe] => {
  const listeners: ((messages: readonly LinkMessage[]) => void)[] = []
  const end = (own: number, other: number): ProcessPipe => ({
    send: (messages) => listeners[other]?.(JSON.parse(JSON.stringify(messages)) as LinkMessage[]),
    onMessages: (listener) => {
      listeners[own] = listener
    },
  })
  return [end(0, 1), end(1, 0)]
}

const open = (services: Services) => {
  const [near, far] = pipes()
  const notices: string[][] = []
  const asking = openMessageLink({ pipe: near, services: new Map(), onNotice: () => undefined })
  openMessageLink({ pipe: far, services, onNotice: (topic, text) => notices.push([topic, text]) })
  return { asking, notices }
}

it('answers come back, whatever order they are ready in', async () => {
  const slow = Promise.withResolvers<string>()
  const { asking, notices } = open(
    new Map<string, (...values: never[]) => unknown>([
      ['slow', () => slow.promise],
      ['twice', (number: number) => number * 2],
    ]),
  )
  const first = asking.ask('slow', [])
  asking.notify('topic', 'text')
  expect(await asking.ask('twice', [21])).toBe(42)
  expect(notices).toEqual([['topic', 'text']])
  slow.resolve('late')
  expect(await first).toBe('late')
})

it('errors keep their code and what they are about', async () => {
  const { asking } = open(
    new Map([
      [
        'wait',
        () => {
          throw new AppError('login_throttled', { params: { seconds: 7 } })
        },
      ],
    ]),
  )
  await expect(asking.ask('wait', [])).rejects.toMatchObject({ code: 'login_throttled', params: { seconds: 7 } })
  await expect(asking.ask('constructor', [])).rejects.toThrow('no service constructor')
})

it('what was not answered fails when the other process ends', async () => {
  const { asking } = open(new Map([['never', () => new Promise(() => undefined)]]))
  const asked = asking.ask('never', [])
  asking.close()
  await expect(asked).rejects.toThrow('the other process has ended')
  await expect(asking.ask('never', [])).rejects.toThrow('the other process has ended')
})
