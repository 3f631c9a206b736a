import type { ChangeReport, ChangeSums, ChangeTermShown } from '#web/lib/api/contract.ts'
import { formatInteger, formatPercent } from '#web/lib/text/format.ts'
import type { SayChange } from './messages.ts'

/** From this ratio on, a length is written as a multiple of the usual one. */
const leastTimes = 1.95

/** A ratio with one decimal below ten. */
export const timesText = (ratio: number): string =>
  formatInteger(ratio < 10 ? Math.round(ratio * 10) / 10 : Math.round(ratio))

const perCall = ({ calls }: ChangeSums, tokens: number): number => (calls > 0 ? tokens / calls : 0)

const cacheShareOf = ({ cached, prompt }: ChangeSums): number => (prompt > 0 ? cached / prompt : 0)

/** The key or model that a term is about, or how many. */
const whoOf = ({ effect, user, key, model, count }: ChangeTermShown, say: SayChange): string => {
  if (model !== undefined) return model
  if (key === undefined) {
    if (count === 0) return say('all')
    return effect === 'cache' || effect === 'price' ? say('models', { count }) : say('keys', { count })
  }
  const name = key.id === 0 ? say('playground') : key.name
  return user === undefined ? say('keyAlone', { key: name }) : say('keyOf', { user: user.name, key: name })
}

const lengthText = (
  kind: 'input' | 'output',
  { now, before }: Record<'now' | 'before', number>,
  { who, say }: { readonly who: string; readonly say: SayChange },
): string => {
  const figures = { who, now: formatInteger(Math.round(now)), before: formatInteger(Math.round(before)) }
  if (before > 0 && now / before >= leastTimes) return say(`${kind}_up`, { ...figures, times: timesText(now / before) })
  return say(now >= before ? `${kind}_more` : `${kind}_less`, figures)
}

const callsText = (
  { now, before }: ChangeTermShown,
  periods: number,
  { who, say }: { readonly who: string; readonly say: SayChange },
): string => {
  const usual = Math.round(before.calls / periods)
  const figures = { who, now: formatInteger(now.calls), before: formatInteger(usual) }
  if (before.calls === 0) return say('calls_new', figures)
  if (now.calls === 0) return say('calls_gone', figures)
  return say(now.calls >= usual ? 'calls_up' : 'calls_down', figures)
}

const cacheText = (model: string, { now, before, amount }: ChangeTermShown, say: SayChange): string => {
  const shares = { now: formatPercent(cacheShareOf(now), 0), before: formatPercent(cacheShareOf(before), 0) }
  const isDearer = amount > 0
  // A share that did not move in the direction of the charges does not explain them: cache writes do.
  const fell = cacheShareOf(now) < cacheShareOf(before)
  if (shares.now === shares.before || fell !== isDearer)
    return say(isDearer ? 'cache_written_up' : 'cache_written_down', { model })
  return say(isDearer ? 'cache_up' : 'cache_down', { model, ...shares })
}

const causeText = ({ event }: ChangeTermShown, say: SayChange, moment: (at: number) => string): string =>
  // Starts of nodes explain no charges.
  event === undefined || event.kind === 'node_started'
    ? ''
    : say(`after_${event.kind}`, { name: event.name, time: moment(event.at) })

const factText = (term: ChangeTermShown, { reference }: Pick<ChangeReport, 'reference'>, say: SayChange): string => {
  const { effect, amount, key, model, now, before } = term
  if (effect === 'other') return say('other')
  const who = whoOf(term, say)
  const direction = amount > 0 ? 'up' : 'down'
  const named = { who, say }
  if (effect === 'cache')
    return model === undefined ? say(`cache_many_${direction}`, { who }) : cacheText(model, term, say)
  if (effect === 'calls')
    return key === undefined ? say(`calls_many_${direction}`, { who }) : callsText(term, reference.length, named)
  if (effect === 'input' || effect === 'output') {
    if (key === undefined) return say(`${effect}_many_${direction}`, { who })
    const tokens = effect === 'input' ? 'prompt' : 'output'
    return lengthText(effect, { now: perCall(now, now[tokens]), before: perCall(before, before[tokens]) }, named)
  }
  return say(`${effect}_${direction}`, { who })
}

/** A term as half a sentence behind its amount; `moment` writes the time of an event. */
export const termText = (
  term: ChangeTermShown,
  report: Pick<ChangeReport, 'reference'>,
  { say, moment }: { readonly say: SayChange; readonly moment: (at: number) => string },
): string => `${factText(term, report, say)}${causeText(term, say, moment)}`
