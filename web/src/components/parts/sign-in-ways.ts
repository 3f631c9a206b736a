import { moduleSignInWays } from '../../../../modules/lists/sign-in-ways.ts'
import type { ShownSignInWay } from './sign-in-way.ts'

/** Ways to sign in of all modules. */
export const signInWays: readonly ShownSignInWay[] = moduleSignInWays

/** Those that this browser and this address allow. */
export const possibleSignInWays = (): readonly ShownSignInWay[] => signInWays.filter((way) => way.isPossible())
