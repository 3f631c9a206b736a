import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Step } from '../../strict/model.ts'
import { type Cell, type Client, type Context, type UpstreamKind, upstreamKinds } from '../client.ts'
import { type Agent, runAgent, type Scene, type Stage } from './agent.ts'
import { runProgram } from './run-program.ts'
import { tail, toolLoop } from './tool-loop.ts'

/** Titles, summaries and the like, which agents ask for in between. */
const aside: Step = { text: '{"title":"Notes"}', calls: [] }

const open = async (agent: Agent, context: Context, kind: UpstreamKind, notes: string): Promise<Stage> => {
  const base = mkdtempSync(join(context.temp, 'run-'))
  const place = { home: join(base, 'home'), work: join(base, 'work') }
  mkdirSync(place.home)
  mkdirSync(place.work)
  writeFileSync(join(place.work, 'notes.txt'), notes)
  const stage = { context, kind, model: context.models[kind], key: await context.openKey(), place }
  return {
    ...stage,
    play: (steps, besides = () => undefined) =>
      context.upstream.play(
        steps,
        (request) => besides(request) ?? (request.tools.length === 0 && agent.runs !== undefined ? aside : undefined),
        { mayStore: agent.stores === true || agent.runs === undefined },
      ),
    run: (prompt, changes = {}) => runAgent(agent, stage, prompt, changes),
  }
}

const loopOf = (agent: Agent): Scene => ({
  check: agent.runs === undefined ? 'edits' : 'tools',
  upstreams: upstreamKinds,
  play: (stage) => toolLoop(agent, stage),
})

/** Runs the script that a package wants to have run once. */
const prepare = async ({ prepared, name }: Agent, installed: string): Promise<void> => {
  if (prepared === undefined || existsSync(join(installed, 'prepared.txt'))) return
  const script = join(installed, prepared)
  const env = { PATH: process.env.PATH ?? '', HOME: installed }
  const { code, output } = await runProgram(process.execPath, [script], { cwd: dirname(script), env, most: 300_000 })
  if (code !== 0) throw new Error(`${name} cannot be prepared: ${tail(output)}`)
  writeFileSync(join(installed, 'prepared.txt'), prepared)
}

/** A row of the matrix for an agent: its scenes, and the bills of each run. */
export const agentClient = (agent: Agent): Client => ({
  name: agent.name,
  registry: agent.registry ?? 'npm',
  packages: [agent.package],
  upstreams: upstreamKinds,
  async run(context) {
    await prepare(agent, context.installed)
    const cells: Cell[] = []
    for (const upstream of upstreamKinds)
      for (const scene of [loopOf(agent), ...(agent.scenes ?? [])]) {
        if (!scene.upstreams.includes(upstream)) continue
        const stage = await open(agent, context, upstream, scene.check === 'edits' ? 'nothing\n' : 'the answer is 42\n')
        const reason = await scene.play(stage)
        cells.push(cellOf(upstream, scene.check, reason))
        cells.push(cellOf(upstream, `bills of ${scene.check}`, await stage.key.checkBills()))
      }
    return cells
  },
})

const cellOf = (upstream: UpstreamKind, check: string, reason: string | undefined): Cell => ({
  upstream,
  check,
  ...(reason === undefined ? {} : { reason }),
})
