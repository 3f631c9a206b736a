import { chromium } from 'playwright-core'
import { browserIsHere, launchOptions, serverVariable } from './browser.ts'

/** Starts the browser that all files of a run share; each visitor has a context of its own there. */
const setUp = async (): Promise<(() => Promise<void>) | undefined> => {
  if (!browserIsHere) return undefined
  const server = await chromium.launchServer(launchOptions)
  process.env[serverVariable] = server.wsEndpoint()
  return () => server.close()
}
export default setUp
