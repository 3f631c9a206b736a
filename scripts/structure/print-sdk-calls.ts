import { join } from 'node:path'
import { addSdkChannels, sdkCalls, sdkFigures } from './sdk-calls.ts'
import { openTracedSite } from './traced-call.ts'

/** Prints how the simple calls of official packages and programs go: `node scripts/structure/print-sdk-calls.ts`. */
const site = await openTracedSite(join(import.meta.dirname, '../..'))
try {
  await addSdkChannels(site)
  for (const call of sdkCalls(site)) {
    const { name, left, files, functions, returns } = await sdkFigures(site, call, 4)
    process.stdout.write(`| ${name} | ${left.join(', ') || 'plain'} | ${files} · ${functions} · ${returns} |\n`)
  }
} finally {
  await site.close()
}
