/// <reference types="node" />
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type ViteUserConfig } from 'vitest/config'
import { chosenFiles } from '../scripts/testing/chosen-files.ts'
import { planChunks } from './build/chunk-plan.ts'
import { componentStyles } from './build/component-styles.ts'
import { contractModule } from './build/contract-module.ts'
import { leanPackages } from './build/lean-packages.ts'
import { leanPalette } from './build/lean-palette.ts'
import { optionsModule } from './build/options-module.ts'
import { pageFiles } from './build/page-files.ts'
import { readPageStarts } from './build/page-modules.ts'
import { precompress } from './build/precompress.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Plugins that turn sources into modules, the same for the plan of the files and for the files. */
const sources = () => [react(), componentStyles(), contractModule(), optionsModule(), leanPackages(), leanPalette()]

const target = 'es2022'

/** Set by the configuration of all tests. */
const isFast = process.env.TEST_FAST === '1'

/** Only a build has files to plan. */
const planned = async (isBuild: boolean) =>
  isBuild ? planChunks({ root, plugins: sources(), build: { target } }, await readPageStarts()) : []

export default defineConfig(
  async ({ command }): Promise<ViteUserConfig> => ({
    root,
    // Scripts and styles find each other wherever the site is reached; the page names its files from the root (build/page-files.ts).
    base: command === 'build' ? './' : '/',
    plugins: [...sources(), pageFiles(), precompress()],
    server: {
      proxy: { '^/(api|pg|v1)(/|$)': { target: `http://127.0.0.1:${process.env.PORT || 3000}`, changeOrigin: false } },
    },
    // Short, since hundreds of them are in the scripts and again in the styles.
    css: command === 'build' ? { modules: { generateScopedName: '[hash:base64:5]' } } : {},
    build: {
      outDir: 'dist',
      target,
      manifest: true,
      reportCompressedSize: true,
      modulePreload: {
        polyfill: false,
        // Screens are fetched with all they need. What comes on demand was fetched in peace before, and its lists would be
        // a thirtieth of every screen.
        resolveDependencies: (_file, needed, { hostId, hostType }) =>
          hostType === 'html' || /\/index-/.test(hostId) ? needed : [],
      },
      assetsInlineLimit: 0,
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: {
          // The entry lists every file for preloading; short names keep it small.
          chunkFileNames: 'assets/[hash:8].js',
          assetFileNames: 'assets/[hash:8][extname]',
          codeSplitting: {
            groups: await planned(command === 'build'),
          },
        },
      },
    },
    test: {
      name: 'web',
      environment: 'jsdom',
      include:
        chosenFiles('web') ??
        (isFast
          ? ['src/**/*.test.ts', '../modules/*/web/**/*.test.ts']
          : ['src/**/*.test.{ts,tsx}', 'build/**/*.test.ts', '../modules/*/web/**/*.test.{ts,tsx}']),
      exclude: isFast ? ['**/*.proof.test.ts'] : [],
      setupFiles: [
        '../scripts/testing/setup/random-cases.ts',
        '../scripts/testing/setup/patient-waits.ts',
        'src/test/setup.ts',
      ],
      isolate: false,
      // Without it the project has half of the cores, and runs alone after the others.
      maxWorkers: availableParallelism() + 1,
      testTimeout: 300_000,
      hookTimeout: 300_000,
    },
  }),
)
