import { afterAll, beforeAll } from 'vitest'
import { type Replay, startReplay } from '../relay/wire.ts'
import { openTestGateway, type TestGateway } from './listener.ts'

/** A gateway beside the upstream that replays recorded exchanges, for the tests of one block. Read its parts within tests only. */
interface Recorded {
  readonly replay: Replay
  readonly gateway: TestGateway
}

/** Call it once per block; `chunking` says how the upstream's bytes are cut. */
export const useRecorded = (chunking: string): Recorded => {
  let opened: Recorded | undefined
  const now = (): Recorded => {
    if (opened === undefined) throw new Error('recorded exchanges are there within tests only')
    return opened
  }
  beforeAll(async () => {
    opened = { replay: await startReplay(chunking), gateway: await openTestGateway() }
  })
  afterAll(async () => {
    await opened?.gateway.close()
    await opened?.replay.close()
  })
  return {
    get replay() {
      return now().replay
    },
    get gateway() {
      return now().gateway
    },
  }
}
