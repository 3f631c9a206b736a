/// <reference types="node" />
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(js|css|svg|json|txt)$/
/** Smaller files travel in one packet anyway. */
const leastBytes = 1024

/** Writes `.br` and `.gz` beside each text file of the build, so that the server never compresses on a request. */
export const precompress = (): Plugin => {
  let folder = ''
  return {
    name: 'tollgate-precompress',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir)
    },
    closeBundle: async () => {
      const names = await readdir(folder, { recursive: true }).catch(() => [])
      for (const name of names.filter((entry) => compressible.test(entry))) {
        const path = join(folder, name)
        const bytes = await readFile(path)
        if (bytes.length < leastBytes) continue
        await writeFile(`${path}.gz`, gzipSync(bytes, { level: 9 }))
        await writeFile(`${path}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }))
      }
    },
  }
}
