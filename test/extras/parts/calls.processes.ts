import { productOf } from "../../crash/product.js";
import { testPublication } from "../../crash/publications.js";
import { aJoinScenario } from "./product.js";

testPublication(await productOf(), "join", aJoinScenario, 30);
