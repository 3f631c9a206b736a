import { availableParallelism } from 'node:os'
import { join, relative, sep } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { chosenFiles } from './scripts/testing/chosen-files.ts'
import { secondsOfProof } from './scripts/testing/proof-seconds.ts'
import { tierOf } from './scripts/testing/tiers.ts'

// Databases in files, large bodies and token counts have threads that load TypeScript anew for each test.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compile-tests')

/** What never ends fails; MySQL takes minutes to migrate a database on a busy machine. */
const limits = { testTimeout: 300_000, hookTimeout: 300_000 }

/** A busy machine may take its time; what never comes fails all the same. */
const patience = { poll: { timeout: 30_000 } }

/** A worker that goes on with a file of another project loads everything anew. */
const order = ['e2e', 'server', 'contract', 'scripts', 'web']

const root = import.meta.dirname

const randomCases = join(root, 'scripts/testing/setup/random-cases.ts')
const patientWaits = join(root, 'scripts/testing/setup/patient-waits.ts')

/** From here on, a file is a long one. */
const longSeconds = 30

/**
 * Long files come first, the longest before the others, and short ones last, so that no worker waits for another at the
 * end. Vitest takes the size of a file for its time, and there are short files that take minutes.
 */
const placeOf = ({ project, moduleId }: TestSpecification): number => {
  const path = relative(root, moduleId).split(sep).join('/')
  const seconds = tierOf(path) === 'proof' ? secondsOfProof(path) : 0
  return order.indexOf(project.name) + (seconds >= longSeconds ? -seconds : 0) / 10_000
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((left, right) => placeOf(left) - placeOf(right))
  }
}

/** Servers, browsers, kills and thousands of cases, which `npm run test:fast` leaves out. */
const proofs = '**/*.proof.test.{ts,tsx}'

export default defineConfig(({ mode }) => {
  const isFast = mode === 'fast'
  // Read by the helpers of the tests, and by the console's configuration.
  if (isFast) {
    process.env.TEST_FAST = '1'
    process.env.TEST_ENGINES ??= 'sqlite'
  }
  const exclude = isFast ? [proofs] : []
  return {
    test: {
      sequence: { sequencer: LongestFirst },
      // Much of the time is spent waiting for databases and browsers.
      maxWorkers: availableParallelism() + 1,
      projects: [
        {
          test: {
            name: 'contract',
            root: 'contract',
            include: chosenFiles('contract') ?? ['src/**/*.test.ts'],
            exclude,
            ...limits,
            setupFiles: [randomCases],
            isolate: false,
          },
        },
        {
          test: {
            name: 'server',
            root: 'server',
            include: chosenFiles('server') ?? [
              'src/**/*.test.ts',
              'test/**/*.test.ts',
              'bench/**/*.test.ts',
              '../modules/*/{server,tests}/**/*.test.ts',
            ],
            exclude,
            ...limits,
            expect: patience,
            globalSetup: ['test/support/db/templates.ts'],
            setupFiles: [randomCases, patientWaits, 'test/support/lib/quick-password-hashes.ts'],
            pool: 'forks',
            // Loading the product anew for each file took an eighth of the time; no module keeps what a test could trip over.
            isolate: false,
          },
        },
        {
          test: {
            name: 'scripts',
            root: 'scripts',
            include: chosenFiles('scripts') ?? ['**/*.test.ts'],
            exclude,
            ...limits,
            expect: patience,
            setupFiles: [randomCases],
            isolate: false,
          },
        },
        'web/vite.config.ts',
        {
          test: {
            name: 'e2e',
            root: 'e2e',
            include: chosenFiles('e2e') ?? ['**/*.test.ts'],
            globalSetup: ['support/browser-server.ts'],
            setupFiles: [randomCases, patientWaits],
            ...limits,
            expect: patience,
            // No helper keeps anything between files, and a worker for each of fifty files costs more than some of them.
            isolate: false,
          },
        },
      ],
    },
  }
})
