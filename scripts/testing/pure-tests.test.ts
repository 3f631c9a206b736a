import { expect, it } from 'vitest'
import type { Module } from '../structure/modules.ts'
import { pureTests } from './pure-tests.ts'

const file = (path: string, imports: string[] = [], text = ''): Module => ({ path, imports, text })

it('leaves out proofs, screens, and tests that reach a database, a gateway or a process', () => {
  const modules = [
    file('server/src/billing/cost.ts'),
    file('server/src/billing/cost.test.ts', ['server/src/billing/cost.ts']),
    file('server/src/billing/cost.proof.test.ts', ['server/src/billing/cost.ts']),
    file('server/src/db/engines/open.ts'),
    file('server/test/support/db/database.ts', ['server/src/db/engines/open.ts']),
    file('server/src/ledger/holds.test.ts', ['server/test/support/db/database.ts']),
    file('server/src/gateway/gateway.ts'),
    file('server/src/gateway/routes.test.ts', ['server/src/gateway/gateway.ts']),
    file('server/src/lib/thread.ts', [], "import { Worker } from 'node:worker_threads'"),
    file('server/src/lib/thread.test.ts', ['server/src/lib/thread.ts']),
    file('server/test/support/server.ts', [], "import { createServer } from 'node:http'"),
    file('server/src/lib/fetch.test.ts', ['server/test/support/server.ts']),
    file('web/src/features/logs/range.test.ts'),
    file('web/src/features/logs/screen.test.tsx'),
  ]
  expect(pureTests(modules)).toEqual([
    'server/src/billing/cost.test.ts',
    'server/src/lib/thread.test.ts',
    'web/src/features/logs/range.test.ts',
  ])
})
