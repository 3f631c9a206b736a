import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Databases in files, large bodies and token counts have threads that load TypeScript anew for each test.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile-tests')

/** A busy machine may take its time; what never comes fails all the same. */
const patience = { poll: { timeout: 30_000 } }

/** Short files that take minutes. Vitest takes the size of a file for its time, and one that begins last keeps the others waiting. */
const long = /(crash|kills|kills\/workers|upgrades|loading|screens-phone|screens-wide)\.test\.ts$/

/**
 * A worker that goes on with a file of another project loads everything anew. Files that take minutes come first and short
 * ones last, so that no worker waits for another at the end.
 */
const order = ['e2e', 'server', 'contract', 'scripts', 'web']

const placeOf = ({ project, moduleId }: TestSpecification): number =>
  2 * order.indexOf(project.name) + Number(!long.test(moduleId))

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((left, right) => placeOf(left) - placeOf(right))
  }
}

/**
 * What `npm run test:fast` leaves to `npm test`: servers, browsers, screens, the whole product, commands in processes of their
 * own, and what tries thousands of things.
 */
const slow = [
  'src/rights/**',
  'src/db/{key-proof,migrate}.test.ts',
  'src/gateway/{holds,bodies}/**',
  'src/ledger/{every-text,random}.test.ts',
  '{src,../modules}/**/*{command,long-texts,outside-words,power-cut,race,random,sound-length}.test.ts',
  'test/**/*.property.test.ts',
  'test/**/*wire.test.ts',
]

export default defineConfig(({ mode }) => {
  const isFast = mode === 'fast'
  // Read by the helpers of the tests, and by the console's configuration.
  if (isFast) process.env.TEST_FAST = '1'
  return {
    test: {
      sequence: { sequencer: LongestFirst },
      // Much of the time is spent waiting for databases and browsers.
      maxWorkers: availableParallelism() + 1,
      projects: [
        { test: { name: 'contract', root: 'contract', include: ['src/**/*.test.ts'], isolate: false } },
        {
          test: {
            name: 'server',
            root: 'server',
            include: [
              'src/**/*.test.ts',
              'test/**/*.test.ts',
              'bench/**/*.test.ts',
              '../modules/*/server/**/*.test.ts',
            ],
            exclude: isFast ? slow : [],
            testTimeout: 60_000,
            hookTimeout: 60_000,
            expect: patience,
            globalSetup: ['test/support/db/templates.ts'],
            setupFiles: ['test/support/lib/quick-password-hashes.ts'],
            pool: 'forks',
            // Loading the product anew for each file took an eighth of the time; no module keeps what a test could trip over.
            isolate: false,
          },
        },
        {
          test: {
            name: 'scripts',
            root: 'scripts',
            include: ['**/*.test.ts'],
            exclude: isFast ? ['**/*.proof.test.ts'] : [],
            isolate: false,
          },
        },
        'web/vite.config.ts',
        {
          test: {
            name: 'e2e',
            root: 'e2e',
            include: ['**/*.test.ts'],
            globalSetup: ['support/browser-server.ts'],
            testTimeout: 180_000,
            hookTimeout: 180_000,
            expect: patience,
            // No helper keeps anything between files, and a worker for each of fifty files costs more than some of them.
            isolate: false,
          },
        },
      ],
    },
  }
})
