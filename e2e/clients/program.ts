import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Registry } from './client.ts'

/** Task for a program, as one line of JSON. */
export interface Task {
  readonly check: string
  readonly url: string
  readonly key: string
  readonly model: string
  readonly [more: string]: unknown
}

/** Program's answer. `missing` means that its client has no such call. */
export interface Told {
  readonly value?: unknown
  readonly missing?: true
  readonly thrown?: Thrown
}

export interface Thrown {
  /** Of its class. */
  readonly name: string
  readonly message: string
}

/** A program around a client, in a process of its own. */
export interface Program {
  ask(task: Task): Promise<Told>
  end(): void
}

const folder = join(import.meta.dirname, 'programs')

/** Milliseconds that one task may take. */
const patienceMs = 90_000

/** Programs stand beside what they import: Node looks for packages from there. */
const copied = (installed: string, program: string): string => {
  const place = join(installed, 'programs')
  mkdirSync(place, { recursive: true })
  for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(place, name))
  return join(place, program)
}

const commands: Readonly<Record<Registry, (installed: string) => string>> = {
  npm: () => process.execPath,
  pypi: (installed) => join(installed, 'bin/python'),
}

interface Place {
  readonly registry: Registry
  readonly installed: string
  readonly temp: string
}

/** Starts a program of `programs/`. It gets no variable of this process but the path. */
export const startProgram = (name: string, { registry, installed, temp }: Place): Program => {
  const child = spawn(commands[registry](installed), [copied(installed, name)], {
    cwd: temp,
    env: { PATH: process.env.PATH ?? '', HOME: temp, PYTHONUNBUFFERED: '1', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const waiting = new Map<number, (told: Told) => void>()
  let complained = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complained = `${complained}${chunk.toString()}`.slice(-2_000)
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    // Clients print warnings of their own.
    if (!line.startsWith('{"id":')) return
    const { id, ...told } = JSON.parse(line) as Told & { readonly id: number }
    waiting.get(id)?.(told)
  })
  const fail = (message: string): void => {
    for (const tell of waiting.values()) tell({ thrown: { name: 'the program', message } })
  }
  child.on('error', ({ message }) => fail(message))
  child.on('close', (code) => fail(`ended with ${code}: ${complained.trim().slice(-400)}`))
  child.stdin.on('error', () => {})
  let last = 0
  return {
    ask(task) {
      last += 1
      const id = last
      return new Promise<Told>((resolve) => {
        const late = setTimeout(
          () => tell({ thrown: { name: 'the program', message: 'no answer in time' } }),
          patienceMs,
        )
        const tell = (told: Told): void => {
          clearTimeout(late)
          waiting.delete(id)
          resolve(told)
        }
        waiting.set(id, tell)
        if (child.exitCode === null) child.stdin.write(`${JSON.stringify({ id, ...task })}\n`)
        else fail(`ended with ${child.exitCode}: ${complained.trim().slice(-400)}`)
      })
    },
    end() {
      child.kill('SIGKILL')
    },
  }
}
