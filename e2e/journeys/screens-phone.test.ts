import { checkEveryScreen, looks } from './every-screen.ts'

checkEveryScreen(looks.phone)
