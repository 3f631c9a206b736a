// Written by `npm run modules` from the folders of modules.
import { signInWays as passkeys } from '../passkeys/web/sign-in-ways.ts'

export const moduleSignInWays = [...passkeys] as const
