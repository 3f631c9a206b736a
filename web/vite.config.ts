/// <reference types="node" />
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { componentStylesPlugin } from './build/component-styles.ts'
import { contractModule } from './build/contract-module.ts'
import { leanPalette } from './build/lean-palette.ts'
import { pageList } from './build/page-list.ts'
import { precompress } from './build/precompress.ts'

/** What every page needs: it changes rarely, so it gets a file of its own that stays in caches. */
const base =
  /node_modules\/(react|react-dom|scheduler|@tanstack\/(react-router|router-core|history|store|react-store))\//

/** Small parts of every page before the console, in one file: apart they compress worse. */
const entrance =
  /web\/src\/(components\/(brand|display\/icon|identity\/turnstile|entrance\/(entrance|field|messages))|lib\/(preferences\/theme-mode|url\/search-params|sign-in\/(invite-code|passkey-support)))\./

/** Small parts of every page of the console without styles of their own, in one file for the same reason. */
const small =
  /web\/src\/lib\/(text\/format|loading\/latest|time\/minute|random-id)\.|@mantine\/hooks\/\S*\/use-(hotkeys|id|isomorphic-effect|merged-ref|uncontrolled|window-event)\//

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), componentStylesPlugin(), contractModule(), leanPalette(), pageList(), precompress()],
  server: {
    proxy: { '^/(api|pg|v1)(/|$)': { target: `http://127.0.0.1:${process.env.PORT || 3000}`, changeOrigin: false } },
  },
  build: {
    outDir: 'dist',
    target: 'es2022',
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
      output: {
        // The entry lists every file for preloading; short names keep it small.
        chunkFileNames: 'assets/[hash:8].js',
        assetFileNames: 'assets/[hash:8][extname]',
        codeSplitting: {
          groups: [
            { name: 'base', test: base },
            { name: 'entrance', test: entrance },
            { name: 'small', test: small },
            { name: 'floating', test: /node_modules\/@floating-ui\// },
          ],
        },
      },
    },
  },
  test: {
    name: 'web',
    environment: 'jsdom',
    include: process.env.TEST_FAST === '1' ? ['src/**/*.test.ts'] : ['src/**/*.test.{ts,tsx}', 'build/**/*.test.ts'],
    setupFiles: ['src/test/setup.ts'],
    isolate: false,
    // Without it the project has half of the cores, and runs alone after the others.
    maxWorkers: Math.max(2, availableParallelism()),
    testTimeout: 60_000,
  },
})
