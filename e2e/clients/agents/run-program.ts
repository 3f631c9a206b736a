import { spawn } from 'node:child_process'

export interface Ended {
  readonly code: number | null
  readonly output: string
}

interface Started {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds after which it is killed. */
  readonly most: number
}

/** Starts a program, and waits for its end. */
export const runProgram = (program: string, args: readonly string[], { cwd, env, most }: Started): Promise<Ended> => {
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: most,
    killSignal: 'SIGKILL',
  })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, output: `${output}\n${error.message}` }))
    child.on('close', (code) => resolve({ code, output }))
  })
}
