import { parentPort } from 'node:worker_threads'
import { compare } from 'bcryptjs'

/** A password and the bcrypt hash that it is compared with. */
export interface BcryptRequest {
  readonly id: number
  readonly password: string
  readonly hash: string
}

export interface BcryptAnswer {
  readonly id: number
  readonly isRight: boolean
}

parentPort?.on('message', async ({ id, password, hash }: BcryptRequest) => {
  const isRight = await compare(password, hash).catch(() => false)
  parentPort?.postMessage({ id, isRight } satisfies BcryptAnswer)
})
