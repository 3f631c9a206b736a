import type { SignInResult } from '../../lib/api/contract.ts'
import type { Pair } from '../../lib/i18n.ts'
import type { entranceShapes } from '../display/line-icon.tsx'

/**
 * A way to sign in that accounts own beside their password: `web/sign-in-ways.ts` of a module lists its own. It is loaded with
 * the login page, so the proof itself comes in a file of its own.
 */
export interface ShownSignInWay {
  /** Its name among the methods by which people confirm who they are. */
  readonly method: string
  /** On the login page, which loads no other icons. */
  readonly icon: keyof typeof entranceShapes
  /** Of its button on the login page. */
  readonly title: Pair
  /** Of its button in dialogs, which say what it is for. */
  readonly shortTitle: Pair
  /** Id of its panel among the settings of one's own security, which `web/security-parts.ts` lists. */
  readonly panel: string
  /** False where the browser or the address of the site does not allow it. */
  isPossible(): boolean
  /** Asks for the proof and signs in; undefined where the person gave up. Throws ApiError. */
  signIn(): Promise<SignInResult | undefined>
  /** Proves who holds the session; false where the person gave up. Throws ApiError. */
  confirm(): Promise<boolean>
}
