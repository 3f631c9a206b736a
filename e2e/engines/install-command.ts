import { installLlama } from './llama.ts'

/** Installs what the proofs with a real engine need before they run; where it cannot be, they say so and are skipped. */
installLlama()
