import { aScenario, productOf } from "../../crash/product.js";
import { testPublication } from "../../crash/publications.js";
import { temporaryFolder } from "../../fixtures.js";
import { aKeyPair } from "./keys.js";

testPublication(
  await productOf(),
  "signed build",
  async (product) => {
    const { secretText } = await aKeyPair(await temporaryFolder());
    return aScenario(product, 20, { signingKey: secretText });
  },
  80,
);
