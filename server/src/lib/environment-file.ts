import { loadSecretFiles } from './security/secret-files.ts'

/**
 * Loads `.env` of the working directory, if it exists, and secrets that stand in files. Variables that are already set keep their
 * value. @throws Error with a sentence that names the variable whose file cannot be used.
 */
export const loadEnvironmentFile = (): void => {
  try {
    process.loadEnvFile('.env')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  loadSecretFiles()
}
