import { Registry } from 'prom-client'
import { describe, expect, it } from 'vitest'
import { openJobFigures } from '../../jobs/job-figures.ts'
import { createJobMetrics } from './job-metrics.ts'

const open = (read: () => Promise<{ states: ReadonlyMap<string, number>; oldest: number | undefined }>) => {
  const registry = new Registry()
  const jobs = openJobFigures()
  jobs.add('batch', read)
  createJobMetrics({ registry, jobs, clock: () => 1_000_000 })
  return { registry, jobs }
}

describe('metrics of jobs', () => {
  it('say what has not ended, how old it is, and what has ended how', async () => {
    const states = new Map([
      ['in_progress', 2],
      ['validating', 1],
    ])
    const { registry, jobs } = open(async () => ({ states, oldest: 940 }))
    jobs.add('video', async () => ({ states: new Map(), oldest: undefined }))
    for (const outcome of ['completed', 'failed', 'completed']) jobs.countEnd('batch', outcome)
    jobs.countDelivery('delivered')
    const text = await registry.metrics()
    expect(text).toContain('tollgate_jobs{kind="batch",state="in_progress"} 2\n')
    expect(text).toContain('tollgate_jobs{kind="batch",state="validating"} 1\n')
    expect(text).toContain('tollgate_jobs_oldest_seconds{kind="batch"} 60\n')
    expect(text).toContain('tollgate_jobs_oldest_seconds{kind="video"} 0\n')
    expect(text).toContain('tollgate_jobs_ended_total{kind="batch",outcome="completed"} 2\n')
    expect(text).toContain('tollgate_webhook_deliveries_total{outcome="delivered"} 1\n')
  })

  it('are there without the database, but for what stands in it', async () => {
    const { registry, jobs } = open(() => Promise.reject(new Error('no database')))
    jobs.countEnd('batch', 'failed')
    const text = await registry.metrics()
    expect(text).not.toContain('tollgate_jobs{')
    expect(text).toContain('tollgate_jobs_ended_total{kind="batch",outcome="failed"} 1\n')
  })
})
