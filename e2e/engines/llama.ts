import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** llama.cpp's own HTTP server stands in this package; `gguf` writes models. */
const packages = ['xllamacpp==2026.10.11549', 'gguf==0.19.0', 'numpy==2.4.6']
const python = process.env.PYTHON ?? 'python3'
const installingMs = 180_000

/** Kept between runs, outside of the repository. */
const folder = join(tmpdir(), `tollgate-engines-${packages.join('-').replaceAll(/[^\w.-]+/g, '-')}`)

/** Installs what the tests of engines need, once. False, with a word on why, where that cannot be. */
export const installLlama = (): boolean => {
  if (existsSync(folder)) return true
  const fresh = mkdtempSync(`${folder}-`)
  try {
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--only-binary', ':all:']
    execFileSync(python, [...args, '--target', fresh, ...packages], { timeout: installingMs, stdio: 'pipe' })
    renameSync(fresh, folder)
    return true
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    // Another process may have installed them meanwhile.
    if (existsSync(folder)) return true
    const [reason = ''] = error instanceof Error ? error.message.split('\n').slice(0, 1) : []
    console.warn(`llama.cpp's server could not be installed (${reason}): the proofs with a real engine are skipped`)
    return false
  }
}

const env = { ...process.env, PYTHONPATH: folder }

/** How large the parts of the model are that add nothing but time. */
export interface ModelSize {
  readonly layers: number
  readonly width: number
}

export interface LlamaServer {
  /** As engines print it, without `/v1`. */
  readonly url: string
  /** `kill -9`. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Ends it and removes its model. */
  remove(): Promise<void>
}

const quick: ModelSize = { layers: 1, width: 64 }

/**
 * Starts llama.cpp's server with a tiny model whose answers are scripted (`bigram_model.py`). `batch` is how many tokens of a prompt are
 * read at a time: with few, large models are slow to begin.
 */
export const startLlama = async ({
  slots,
  size = quick,
  batch = 512,
}: {
  readonly slots: number
  readonly size?: ModelSize
  readonly batch?: number
}): Promise<LlamaServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-engine-'))
  const model = join(directory, 'tiny.gguf')
  const script = (name: string): string => join(import.meta.dirname, name)
  execFileSync(python, [script('bigram_model.py'), model, String(size.layers), String(size.width)], { env })
  let child: ChildProcess | undefined
  let port = '0'
  let url = ''

  const start = async (): Promise<void> => {
    const started = spawn(python, [script('llama_server.py'), model, port, String(slots), String(batch)], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    child = started
    let printed = ''
    started.stdout.on('data', (part) => {
      printed += String(part)
    })
    while (!/http:\S+:\d+\n/.test(printed)) {
      if (started.exitCode !== null) throw new Error(`the engine stopped at start:\n${printed}`)
      await Promise.race([once(started.stdout, 'data'), once(started, 'exit')])
    }
    url = /http:\S+:\d+/.exec(printed)?.[0] ?? ''
    port = new URL(url).port
  }

  const kill = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  await start()
  return {
    get url() {
      return url
    },
    kill,
    start,
    async remove() {
      await kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
