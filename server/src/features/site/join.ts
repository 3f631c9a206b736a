import { join } from 'node:path'
import type { OptionSnapshot } from '../../app/noun-types.ts'
import type { SharedParts } from '../../app/parts.ts'
import { joinOrigins, type OutsideOrigins, originsOf } from '../../http/site/policy.ts'
import { createSite, type SiteParts } from '../../http/site/static.ts'

const consoleFiles = join(import.meta.dirname, '../../../../web/dist')

type Origins = Partial<OutsideOrigins>

const chatPages = ({ Chats }: OptionSnapshot): Origins => ({
  frames: Chats.flatMap((entry) => Object.values(entry).flatMap(originsOf)),
})

/** The home page and the about page may be an address to show in a frame. */
const framedTexts = ({ HomePageContent, About }: OptionSnapshot): Origins => ({
  frames: [HomePageContent, About].filter((text) => /^https:\/\/\S+$/.test(text.trim())).flatMap(originsOf),
})

const turnstile = ({ TurnstileCheckEnabled }: OptionSnapshot): Origins => {
  const origins = ['https://challenges.cloudflare.com']
  return TurnstileCheckEnabled ? { scripts: origins, frames: origins } : {}
}

/** Browsers hold what a gateway redirects a form to against the policy too, and it sends people to wherever they pay. */
const payment = ({ PayAddress, EpayId, EpayKey }: OptionSnapshot): Origins => {
  if (PayAddress === '' || EpayId === '' || EpayKey === '') return {}
  return { forms: PayAddress.startsWith('https:') ? ['https:'] : ['https:', 'http:'] }
}

/** Each says which origins a part of the console needs under the present options. */
const needs: readonly ((options: OptionSnapshot) => Origins)[] = [chatPages, framedTexts, turnstile, payment]

/** Answers the same object until an option changes. */
const outsideOrigins = (snapshot: () => OptionSnapshot): (() => OutsideOrigins) => {
  let built: { values: OptionSnapshot; origins: OutsideOrigins } | undefined
  return () => {
    const values = snapshot()
    if (built?.values !== values) built = { values, origins: joinOrigins(needs.map((need) => need(values))) }
    return built.origins
  }
}

/** Joins the built console and the options that its content policy depends on. */
export const joinSite = (
  { config, options }: SharedParts,
  parts: Pick<SiteParts, 'status' | 'limiter' | 'requestContexts'>,
): ReturnType<typeof createSite> =>
  createSite({
    ...parts,
    directory: consoleFiles,
    webLimit: config.rateLimits.web,
    basePath: config.basePath,
    redirectTo: config.isSlave ? config.frontendBaseUrl : undefined,
    outsideOrigins: outsideOrigins(options.snapshot),
  })
