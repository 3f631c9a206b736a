import { type Option, options as registry, type ShownProvider, type Status } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'

/** Values of all options at one moment, as far as the status needs to know. */
export type OptionValues = Readonly<Record<string, unknown>>

export interface StatusParts {
  readonly version: string
  /** Unix seconds. */
  readonly startTime: number
  /** The current values; the same object while nothing has changed. */
  values(): OptionValues
  /** Identity providers that people can sign in by; the same list while nothing has changed. */
  identityProviders(): readonly ShownProvider[]
}

const isSet = (value: unknown): boolean => typeof value === 'string' && value !== ''

const published: readonly (readonly [name: string, key: string])[] = Object.entries<Option<unknown>>(registry).flatMap(
  ([key, option]) => (option.status === undefined ? [] : [[option.status, key] as const]),
)

const build = (
  { version, startTime }: StatusParts,
  values: OptionValues,
  providers: readonly ShownProvider[],
): Status =>
  ({
    ...Object.fromEntries(published.map(([name, key]) => [name, ownMember(values, key)])),
    version,
    start_time: startTime,
    setup: true,
    identity_providers: [...providers],
    enable_online_topup: ['PayAddress', 'EpayId', 'EpayKey'].every((key) => isSet(ownMember(values, key))),
    enable_batch_update: false,
    chat_link: '',
    // The registry names the fields; the contract's test holds the two together.
  }) as Status

/**
 * The public facts of the site, built once per change of the options; also put into the
 * console's page, so that it starts without asking.
 */
export const openStatus = (parts: StatusParts): { statusObject(): Status } => {
  let built:
    | { readonly values: OptionValues; readonly providers: readonly ShownProvider[]; readonly status: Status }
    | undefined
  return {
    statusObject() {
      const values = parts.values()
      const providers = parts.identityProviders()
      if (built?.values !== values || built.providers !== providers)
        built = { values, providers, status: build(parts, values, providers) }
      return built.status
    },
  }
}
