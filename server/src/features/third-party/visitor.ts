import type { ConsoleClient } from '../../http/client.ts'
import type { ConsoleCaller } from '../../http/route.ts'

/** The browser at the other end, as far as these calls look at it. */
export interface Visitor {
  readonly client: ConsoleClient
  readonly caller: ConsoleCaller | undefined
  /** Value of the cookie that ties a way to a provider to one browser. */
  readonly browser: string | undefined
  header(name: string): string | undefined
}
