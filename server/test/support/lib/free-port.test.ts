import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from './free-port.ts'

const script = `
  import { freePort } from ${JSON.stringify(new URL('free-port.ts', import.meta.url).href)}
  console.log(JSON.stringify(await Promise.all(Array.from({ length: 20 }, freePort))))
  process.stdin.resume()
`

/** Ports that another process has drawn, which lives until the test is over. */
const drawnElsewhere = async (): Promise<number[]> => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const [line] = await once(createInterface(child.stdout), 'line')
  return JSON.parse(String(line)) as number[]
}

it('draws each port in one process only, and once', async () => {
  const others = await Promise.all([drawnElsewhere(), drawnElsewhere(), drawnElsewhere()])
  const own = await Promise.all(Array.from({ length: 20 }, freePort))
  expect(new Set([...others.flat(), ...own]).size).toBe(80)
})
