import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** A busy machine may take its time; what never comes fails all the same. */
const patience = { poll: { timeout: 10_000 } }

export default defineConfig({
  test: {
    // Most of the time is spent waiting for databases and browsers.
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      { test: { name: 'contract', root: 'contract', include: ['src/**/*.test.ts'] } },
      {
        test: {
          name: 'server',
          root: 'server',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: patience,
          pool: 'forks',
        },
      },
      'web/vite.config.ts',
      {
        test: {
          name: 'e2e',
          root: 'e2e',
          include: ['**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          expect: patience,
        },
      },
    ],
  },
})
